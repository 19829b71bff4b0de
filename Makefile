# Two environments: $(VENV) is for people (editable, linters, the demo), build/wheel-env holds the
# wheel as a user gets it; the tests run there, with the tools and libraries of $(VENV).
VENV ?= .venv
# One more than two cores: some tests wait for programs and the disk.
JOBS ?= 3
# Percent of lines and branches of src that the tests of `make test` reach in their own process.
COVERED ?= 98
# For `make fuzz`: how long, which cases (by default others in each run), one part or one case of it.
# `make soak` ends with a short one.
FUZZ_MINUTES ?= 60
SOAK_FUZZ_MINUTES ?= 3
FUZZ_SEED ?=
FUZZ_ONLY ?=

BIN := $(VENV)/bin
WHEEL_ENV := build/wheel-env
WHEEL_BIN := $(WHEEL_ENV)/bin
# Programs that tests start, beside our own.
TOOLS := agnix check-jsonschema lefthook pipx pre-commit prek twine uv uvx zizmor
PIP_FLAGS := --quiet --disable-pip-version-check --no-input
CODE := src hooks tests $(wildcard benchmarks demo ecosystem release agent-core/bin/*.py)
# Folders count too: a deleted file has to leave the wheel.
PACKAGED := pyproject.toml setup.py $(wildcard README.md LICENSE) \
    $(shell find src hooks -name __pycache__ -prune -o -name '*.egg-info' -prune -o -print)

# A candidate is run, not looked up: a version manager's shim is there even when its Python is not.
define FIND_PYTHON
found=; bare=; \
for candidate in $(if $(PYTHON),'$(PYTHON)',python3.13 python3.12 python3.11 python3); do \
    "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
    if "$$candidate" -c 'import ensurepip, venv' 2>/dev/null; then found=$$candidate; break; fi; \
    bare=$${bare:-$$candidate}; \
done; \
if [ -z "$$found" ] && [ -n "$$bare" ]; then \
    echo "$$bare cannot make environments: install its venv package (Debian, Ubuntu: apt-get install python3-venv) or name another Python with PYTHON=/path/to/python3" >&2; exit 1; \
elif [ -z "$$found" ]; then \
    echo "Python 3.11 or newer is needed $(if $(PYTHON),and '$(PYTHON)' is none,and none was found): install one or name it with PYTHON=/path/to/python3." >&2; exit 1; \
fi
endef

.DEFAULT_GOAL := help
ifndef PARALLEL
.NOTPARALLEL:
endif
.DELETE_ON_ERROR:
.PHONY: help dev demo picture test soak quick pytest wheel lint format types bytecode pins site bench fuzz ecosystem home revision release clean

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

dev: $(VENV)/.dev ## Set up .venv for development: editable, with all tools

demo: $(VENV)/.runtime ## Show the whole idea on a small real repository
	@$(BIN)/python -m demo.run

picture: $(VENV)/.runtime ## Draw docs/terminal.svg, the picture in the README, again
	@$(BIN)/python -m demo.picture

# mypy needs one core for as long as the wheel and the bytecode do. pytest goes last, so that the
# output ends with its closing line.
test: $(VENV)/.dev ## Lint, check types, build the wheel and run the tests for every change
	@$(MAKE) --no-print-directory -j 2 PARALLEL=yes lint types $(WHEEL_ENV)/.wheel bytecode
	@$(MAKE) --no-print-directory pytest

# Where the tests write: in memory if there is room (they need 1 GB) and programs may be run there.
# That takes a tenth off their time, and the disk nothing.
ifndef PYTEST_DEBUG_TEMPROOT
PYTEST_DEBUG_TEMPROOT := $(shell { grep -s MemAvailable /proc/meminfo; grep -s ' /dev/shm ' /proc/mounts; df -kP /dev/shm; } \
    2>/dev/null | awk '$$1 == "MemAvailable:" && $$2 > 4e6 { memory = 1 } \
    $$2 == "/dev/shm" && $$4 !~ /noexec/ { programs = 1 } $$6 == "/dev/shm" && $$4 > 3e6 { room = 1 } \
    END { if (memory && programs && room) print "/dev/shm" }')
endif
quick pytest soak: export PYTEST_DEBUG_TEMPROOT := $(PYTEST_DEBUG_TEMPROOT)

# conftest.py asks for bytecode too, but after Hypothesis, whose assertions pytest rewrites: 2 s.
quick pytest soak bytecode: export PYTHONDONTWRITEBYTECODE =

# A test that it names at the end is one to be marked as slow.
quick: $(VENV)/.dev ## Run the tests that need no program and no repository, while coding
	@HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal \
	    --durations 5 --durations-min 3 -m "not slow and not soak and not network and not git" $(PYTEST_ARGS)

TESTS := LEARNINGS_WHEEL="$$(ls build/dist/*.whl)" $(WHEEL_BIN)/python -m pytest -n $(JOBS) --dist worksteal

# The floor is not in pyproject.toml: on other systems fewer tests run.
pytest: $(WHEEL_ENV)/.wheel ## Run the tests of `make test` with coverage
	@$(TESTS) --durations 10 $(PYTEST_ARGS) --cov $(if $(PYTEST_ARGS),,--cov-fail-under=$(COVERED))

# Fuzzing goes first, so that the output ends with the closing line of the tests.
soak: $(WHEEL_ENV)/.wheel ## Fuzz, then run the tests for every night and release
	@$(BIN)/python -m tests.fuzz --minutes '$(SOAK_FUZZ_MINUTES)' --seed '$(FUZZ_SEED)'
	@$(TESTS) -m soak --durations 10 $(PYTEST_ARGS)

wheel: build/.wheel ## Build the wheel and the source distribution into build/dist

lint: $(VENV)/.dev ## Run ruff: rules and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.dev ## Let ruff fix and format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.dev ## Run mypy
	$(BIN)/mypy $(CODE)

# In a fresh checkout every worker of pytest would do it, at the same time. What is wrong with a
# module, the tests say. Hypothesis keeps which characters there are in .hypothesis; to find out takes
# 2 s, with coverage 5.
bytecode: $(VENV)/.dev
	@$(BIN)/python -c 'from hypothesis import strategies; strategies.text().validate()'
	@$(BIN)/python -m pytest -q --collect-only > /dev/null 2>&1 || true

pins: $(VENV)/.dev ## Write anew with uv what the action and the build install, with hashes
	@{ sed -n '/^requires = /s/.*\["\(.*\)"\].*/\1/p' pyproject.toml \
	    | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
	        --no-header --no-annotate --no-emit-index-url --extra github pyproject.toml - ; } > build/pins.txt
	@{ sed -n '/^#/p' action-requirements.txt; cat build/pins.txt; } > build/pins.new
	@mv build/pins.new action-requirements.txt
	@{ sed -n '/^requires = /s/.*\["\(.*\)"\].*/\1/p; s/^ *"\(build[<>=].*\)",$$/\1/p' pyproject.toml \
	    | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
	        --no-header --no-annotate --no-emit-index-url - ; } > build/pins.txt
	@{ sed -n '/^#/p' build-requirements.txt; cat build/pins.txt; } > build/pins.new
	@mv build/pins.new build-requirements.txt

site: build/site-env/.made ## Build docs/ into build/site; a link that leads nowhere fails it
	build/site-env/bin/sphinx-build --quiet --fail-on-warning --keep-going docs build/site

build/site-env/.made: $(VENV)/.made pyproject.toml
	@echo "Installing what builds the site into build/site-env"
	@$(BIN)/python -m venv build/site-env
	@build/site-env/bin/python -m pip install $(PIP_FLAGS) '.[docs]'
	@touch $@

bench: $(VENV)/.dev ## Measure speed (takes minutes, asserts nothing)
	$(BIN)/python benchmarks/speed.py

fuzz: $(VENV)/.dev ## Attack learnings with faults and made-up input for FUZZ_MINUTES
	$(BIN)/python -m tests.fuzz --minutes '$(FUZZ_MINUTES)' --seed '$(FUZZ_SEED)' --only '$(FUZZ_ONLY)'

ecosystem: $(VENV)/.dev ## Compare BASE with this checkout over public repositories, or those in FROM
	@$(BIN)/python -m ecosystem $(if $(BASE),--base '$(BASE)') $(if $(FROM),--from '$(FROM)') $(if $(ONLY),--only '$(ONLY)')

home: $(VENV)/.made ## Write the address URL of the project into every file that shows it, or none
	@$(BIN)/python -m release.home '$(URL)'

revision: $(VENV)/.made ## Write COMMIT (by default HEAD) into every file that names what to install
	@$(BIN)/python -m release.revision '$(or $(COMMIT),HEAD)'

release: $(VENV)/.made ## Release VERSION: versions, changelog, pins, commit and tag, all or nothing
	@$(BIN)/python -m release.release '$(VERSION)'

clean: ## Remove everything made here, the environments too
	rm -rf $(VENV) build dist src/*.egg-info .coverage .coverage.* htmlcov \
	    .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src hooks tests -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/.made:
	@$(FIND_PYTHON); "$$found" -m venv $(VENV)
	@touch $@

$(VENV)/.runtime: $(VENV)/.made pyproject.toml
	@echo "Installing learnings into $(VENV)"
	@$(BIN)/python -m pip install $(PIP_FLAGS) --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.made pyproject.toml
	@echo "Installing learnings and its tools into $(VENV)"
	@$(BIN)/python -m pip install $(PIP_FLAGS) --editable '.[dev]'
	@touch $(VENV)/.runtime $@

# By way of the source distribution: what that lacks, the wheel lacks, and nothing is left over from
# an earlier build.
build/.wheel: $(VENV)/.dev $(PACKAGED)
	@echo "Building the wheel"
	@rm -rf build/dist
	@mkdir -p build
	@$(BIN)/python -m build --no-isolation --outdir build/dist . > build/build.log 2>&1 || { cat build/build.log; exit 1; }
	@touch $@

# The lines of tools.pth are folders that Python looks into after those of the environment itself:
# what $(VENV) holds is found there, but for learnings, and the editable install is not in force,
# since that takes a .pth file of its own, which is not read there.
$(WHEEL_ENV)/.made: $(VENV)/.made
	@$(BIN)/python -m venv --clear --without-pip $(WHEEL_ENV)
	@folder=$$($(WHEEL_BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))'); \
	$(BIN)/python -c 'import sysconfig; print(*{sysconfig.get_path(name) for name in ("purelib", "platlib")}, sep="\n")' > "$$folder/tools.pth"
	@for tool in $(TOOLS); do ln -s "$$(cd $(BIN) && pwd)/$$tool" $(WHEEL_BIN)/; done
	@touch $@

$(WHEEL_ENV)/.wheel: $(WHEEL_ENV)/.made build/.wheel
	@echo "Installing the wheel into $(WHEEL_ENV)"
	@$(BIN)/python -m pip --python $(WHEEL_BIN)/python install $(PIP_FLAGS) --no-deps --no-index --force-reinstall build/dist/*.whl
	@touch $@
