# Build: the dependencies by their hashes, then the package itself, into one folder.
FROM python:3.13-slim AS build
RUN pip install --no-cache-dir uv
WORKDIR /src
COPY requirements.lock ./
RUN python -m venv /opt/lostcities \
    && uv pip install --python /opt/lostcities/bin/python --no-cache --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY service ./service
RUN uv pip install --python /opt/lostcities/bin/python --no-cache --no-deps .

# Run: no build tools, a numeric user, nothing written outside /data and /tmp.
FROM python:3.13-slim
COPY --from=build /opt/lostcities /opt/lostcities
ENV PATH=/opt/lostcities/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    HOST=0.0.0.0 PORT=8000 DATA_DIR=/data
RUN install -d -o 10001 -g 10001 /data
VOLUME /data
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["python", "-c", \
    "import os, urllib.request; urllib.request.urlopen(f\"http://127.0.0.1:{os.environ['PORT']}/livez\", timeout=2)"]
ENTRYPOINT ["lostcities"]
CMD ["serve"]
