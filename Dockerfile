# Build: the dependencies by their hashes into a folder of their own, nothing that installs them, and compiled rules.
FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS build
# A compiler of whichever version the distribution has: it stays in this stage.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
COPY requirements.lock deploy/compile.lock /build/
RUN python -m venv /opt/lostcities \
    && /opt/lostcities/bin/pip install --no-cache-dir --no-compile --require-hashes -r /build/requirements.lock \
    && /opt/lostcities/bin/pip uninstall --yes pip \
    && python -m venv /build/tools \
    && /build/tools/bin/pip install --no-cache-dir --require-hashes -r /build/compile.lock
COPY deploy/compile.py /build/
COPY service /opt/lostcities/service
# Nothing can be compiled later: the tree is read-only.
RUN /build/tools/bin/python /build/compile.py /opt/lostcities/service && python -m compileall -q -j 0 /opt/lostcities

# Run: a numeric user, nothing written outside /data (the embedded store's) and /tmp, no installer.
FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
RUN pip uninstall --yes pip && install -d -o 10001 -g 10001 /data
COPY --from=build /opt/lostcities /opt/lostcities
ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PYTHONPATH=/opt/lostcities/service HOST=0.0.0.0 PORT=8000 DATA_DIR=/data
WORKDIR /data
VOLUME /data
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["/opt/lostcities/bin/python", "-c", \
    "import os, urllib.request; urllib.request.urlopen(f\"http://127.0.0.1:{os.environ['PORT']}/livez\", timeout=2)"]
ENTRYPOINT ["/opt/lostcities/bin/python", "-m", "lostcities"]
CMD ["serve"]
