"""Plain JupyterHub on one machine: see README.md here. Students are the machine's users, in the group "students"."""

import sys
from pathlib import Path

c = get_config()  # noqa: F821
here, programs = Path(__file__).resolve().parent, Path(sys.prefix) / "bin"

load_subconfig(str(here / "students.py"))  # noqa: F821

c.JupyterHub.bind_url = "http://127.0.0.1:8000"  # a web server with a certificate stands in front
c.ConfigurableHTTPProxy.command = [str(here / "proxy/node_modules/.bin/configurable-http-proxy")]
c.Authenticator.allowed_groups = {"students"}
c.Spawner.cmd = [str(programs / "student-server")]
c.Spawner.args = ["--ServerApp.log_level=WARN"]

# Who has been away for an hour needs no memory: the server ends, the files stay.
c.JupyterHub.services = [
    {"name": "idle", "command": [sys.executable, "-m", "jupyterhub_idle_culler", "--timeout=3600"]}
]
c.JupyterHub.load_roles = [
    {
        "name": "idle",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["idle"],
    }
]
