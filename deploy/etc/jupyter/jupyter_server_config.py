"""A class's servers speak to their kernels through files of their own, not through ports that all on a machine share.

A server chooses five free ports for a kernel, which takes them seconds later. When thirty start at once, two choose the
same one. The files lie in a short folder that only the student can read: a socket's path may have 107 characters.
"""

import atexit
import os
import shutil
import tempfile

c = get_config()  # noqa: F821

folder = tempfile.mkdtemp(prefix="jupyter-")
atexit.register(shutil.rmtree, folder, ignore_errors=True)
os.environ["JUPYTER_RUNTIME_DIR"] = folder
c.KernelManager.transport = "ipc"
