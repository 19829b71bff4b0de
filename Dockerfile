# For runners without Python: docker run --rm --volume "$PWD:/repository" learnings check
FROM python:3.13-slim

# Whoever mounts a repository trusts it; its files belong to another user than the one in here.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && git config --system --add safe.directory /repository \
    && useradd --create-home learnings

COPY pyproject.toml setup.py README.md LICENSE action-requirements.txt /source/
COPY src /source/src
COPY hooks /source/hooks
RUN pip install --no-cache-dir --require-hashes --only-binary :all: \
        --requirement /source/action-requirements.txt \
    && pip install --no-cache-dir --no-index --no-deps --no-build-isolation /source

USER learnings
WORKDIR /repository
ENTRYPOINT ["learnings"]
