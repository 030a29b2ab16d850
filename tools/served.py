"""Becomes JupyterLab, with the configuration of run.py and no other: served.py FLAGS.

What lies elsewhere on this machine (/etc/jupyter, a user's ~/.jupyter, the environment's own folder) could switch off
the token or open the server to a network, so Jupyter gets one folder only, and if it read another, too, it would not
start.
"""

import os
import sys

OTHERS = "run.py: JupyterLab was not started, as settings in {folders} could let others in: move them away."
BROKEN = """run.py: JupyterLab broke off ({problem}).
Run python3 run.py setup (Windows: py run.py setup): it installs every file of the environment anew. If that does not
help, please report it with the line above."""
REFUSED = "run.py: JupyterLab broke off: {problem}. Mend that, then run this again."  # by the system


def restrict_configuration(folder: str) -> set[str]:
    """Make a folder the only one with a configuration for Jupyter; return those that it would read besides."""
    from jupyter_core import paths

    paths.ENV_CONFIG_PATH[:] = paths.SYSTEM_CONFIG_PATH[:] = [folder]
    return set(paths.jupyter_config_path()) - {folder}


def main(*flags: str) -> int:
    sys.path.append(os.getcwd())  # for `tools`; last, so that no file in the book's folder stands for a module
    folder = os.environ["JUPYTER_CONFIG_DIR"]
    try:
        others = restrict_configuration(folder)
        if not others:
            from jupyterlab import labapp

            return labapp.main(list(flags)) or 0
        sentence = OTHERS.format(folders=", ".join(sorted(others)))
    except KeyboardInterrupt:  # before the server listens to it
        print("\nStopped.", file=sys.stderr)
        return 130
    except OSError as problem:
        sentence = REFUSED.format(problem=problem)
    except Exception as problem:
        sentence = BROKEN.format(problem=f"{type(problem).__name__}: {problem}")
    print(sentence, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
