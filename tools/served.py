"""Becomes JupyterLab or Voila, with the configuration of run.py and no other: served.py lab|voila|vote FLAGS.

What lies elsewhere on this machine (/etc/jupyter, a user's ~/.jupyter, the environment's own folder) could switch off
the token or open the server to a network, so Jupyter is told of one folder only, and if it looked into another, too, it
would not start.
"""

import os
import sys
from importlib import import_module

SERVERS = {  # name, and the module whose main(flags) it is
    "lab": ("JupyterLab", "jupyterlab.labapp"), "voila": ("Voila", "voila.app"), "vote": ("The vote", "tools.vote"),
}
OTHERS = "run.py: {name} was not started, as settings in {folders} could let others in: move them away."
BROKEN = """run.py: {name} broke off ({problem}).
Run python3 run.py setup (Windows: py run.py setup): it installs every file of the environment anew. If that does not
help, please report it with the line above."""
OUTSIDE = "run.py: {name} broke off: {problem}. Mend that, then run this again."  # what the system refused


def alone(folder: str) -> set[str]:
    """Tell Jupyter that this is the only folder with a configuration; what it would read besides."""
    from jupyter_core import paths

    paths.ENV_CONFIG_PATH[:] = paths.SYSTEM_CONFIG_PATH[:] = [folder]
    return set(paths.jupyter_config_path()) - {folder}


def main(server: str, *flags: str) -> int:
    sys.path.append(os.getcwd())  # for `tools`; last, so that no file in the book's folder stands for a module
    name, module = SERVERS[server]
    folder = os.environ["JUPYTER_CONFIG_DIR"]
    first = [f"--Voila.config_file_paths={folder}"] if server == "voila" else []  # it would look beside the book, too
    try:
        if others := alone(folder):
            print(OTHERS.format(name=name, folders=", ".join(sorted(others))), file=sys.stderr)
            return 1
        return import_module(module).main([*first, *flags]) or 0
    except KeyboardInterrupt:  # before the server listens to it
        print("\nStopped.", file=sys.stderr)
        return 130
    except OSError as problem:
        print(OUTSIDE.format(name=name, problem=problem), file=sys.stderr)
        return 1
    except Exception as problem:
        told = f"{type(problem).__name__}: {problem}"
        print(BROKEN.format(name=name, problem=told), file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
