"""What each student's server is: for plain JupyterHub, The Littlest JupyterHub, and the load test of benchmarks/hub.py.

values.yaml says the same to Zero to JupyterHub; tests/test_deploy.py compares them.
"""

c = get_config()  # noqa: F821

c.Spawner.cmd = ["student-server"]
c.Spawner.default_url = "/lab"
c.Spawner.mem_limit = "1G"  # a kernel of the heaviest chapter, and a second one
c.Spawner.mem_guarantee = "256M"
c.Spawner.environment = {
    # One thread each: the students share the cores, and two that count on all of them wait for each other.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
}
# A class logs in within a minute: who comes last waits for all others, and is not turned away.
c.Spawner.start_timeout = 300
c.Spawner.http_timeout = 300
