"""A student's server under JupyterHub; deploy/install makes the program `student-server` of it.

The hub's part of a server imports the hub's pages and its data base, and uses neither: 28 MB for each student. Here
they come when somebody asks for them.
"""

import sys
from importlib import import_module
from types import ModuleType


class Late(ModuleType):
    """Stands for a module until it is asked for something else than what it was given."""

    def __getattr__(self, name):
        if name.startswith("__"):  # what the import of a module looks for
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


class HealthCheckHandler:
    """A page of the hub's, which a student's server never shows: its log asks whether a request is for this one."""


pages = Late("jupyterhub.handlers.pages")
pages.HealthCheckHandler = HealthCheckHandler
sys.modules |= {late.__name__: late for late in (pages, Late("jupyterhub.orm"))}

if __name__ == "__main__":
    from jupyterhub.singleuser import main

    main()
