"""For those who start gunicorn themselves: `gunicorn -c deploy/gunicorn.conf.py`, with REDIS_URL set.

The settings are those of `lostcities serve`; every number is explained in `service/serve.py`.
"""

from service.config import Settings
from service.serve import configuration

wsgi_app = "service.serve:application()"
globals().update(configuration(Settings.from_environment()))
