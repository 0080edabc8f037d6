"""For a gunicorn of your own: `REDIS_URL=… gunicorn -c deploy/gunicorn.conf.py`.

The settings and hooks are those of `lostcities serve`, explained in `lostcities/gunicorn_config.py`. Change them here.
"""

from lostcities.gunicorn_config import *  # noqa: F403

proc_name = "lostcities"
