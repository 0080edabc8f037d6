# Everything a developer does, one word each. `make help` lists it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
COMPILED := $(VENV)/compiled
AUDIT := $(VENV)/audit
SHELL := /bin/bash
export PYTHONPATH := $(CURDIR)/service
.DEFAULT_GOAL := help

.PHONY: help
help: ## list the commands
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

# $(call install,LOCK,BIN). uv installs fast; pip does where the index is only known to pip. Both check every hash.
install = $(BIN)/uv pip install --quiet --python $(2)/python --require-hashes -r $(1) 2>/dev/null \
	|| $(2)/pip install --quiet --require-hashes -r $(1)

$(BIN)/uv: deploy/installer.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	@echo "building the virtual environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r deploy/installer.lock
	@touch $@

$(VENV)/run: $(BIN)/uv requirements.lock pyproject.toml
	@$(call install,requirements.lock,$(BIN))
	@touch $@

$(VENV)/compile: $(BIN)/uv deploy/compile.lock
	@$(call install,deploy/compile.lock,$(BIN))
	@touch $@

$(VENV)/dev: $(BIN)/uv requirements-dev.lock pyproject.toml
	@$(call install,requirements-dev.lock,$(BIN))
	@touch $@ $(VENV)/run $(VENV)/compile

LOCALE := service/lostcities/locale
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard $(LOCALE)/*/LC_MESSAGES/lostcities.po))

# The catalogues of sentences, as Python's gettext reads them.
%.mo: %.po $(BIN)/uv
	@$(BIN)/pybabel --quiet compile --input-file $< --output-file $@

.PHONY: run
run: $(VENV)/run $(CATALOGUES) ## serve on HOST:PORT (127.0.0.1:8000), with an embedded store unless REDIS_URL is set
	@$(BIN)/python deploy/run.py

# The package with its rules compiled, as an installed one has them. Without a C compiler it is plain, and says so.
$(COMPILED)/made: $(VENV)/dev $(CATALOGUES) deploy/compile.py $(shell find service -name '*.py')
	$(BIN)/python deploy/run.py copy

.PHONY: compiled
compiled: $(COMPILED)/made ## compile the rules and the bots into .venv/compiled, and test them there
	@if ls $(COMPILED)/lostcities/variants/*/*.so >/dev/null 2>&1; then \
		RULES=compiled $(BIN)/pytest -n 2 --dist worksteal -o pythonpath="$(COMPILED) ." \
			--ignore tests/conformance/test_fifth_game.py tests/rules tests/bots tests/conformance tests/games tests/store/test_codec.py; \
	else echo "THE COMPILED RULES ARE NOT TESTED: they could not be compiled here"; fi

.PHONY: test
test: $(VENV)/dev $(CATALOGUES) ## everything: ruff, mypy, import contracts, pytest; the rules also as they are compiled
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/pytest -n 2 --dist worksteal
	@$(MAKE) --no-print-directory compiled

.PHONY: test-latest
test-latest: $(BIN)/uv ## the tests with the newest dependencies that the version ranges allow, not the locked ones
	@rm -rf $(VENV)/latest && $(PYTHON) -m venv $(VENV)/latest
	$(BIN)/uv pip install --quiet --python $(VENV)/latest/bin/python -r pyproject.toml --extra env --extra mcp --extra openspiel --extra otel --group dev
	$(VENV)/latest/bin/pytest -n 2 --dist worksteal

.PHONY: faults
faults: $(VENV)/dev ## the tests of faults in their long form: some ten minutes of kills, cuts and failovers
	FAULTS=full $(BIN)/pytest -rP tests/faults

.PHONY: records
records: $(VENV)/dev ## the tests of records in their long form: 10,000 games and 1,000 changed fields, some twenty minutes
	RECORDS=full RACES=full $(BIN)/pytest -n 2 -rP tests/games/test_records.py tests/games/test_table.py

.PHONY: bench
bench: $(COMPILED)/made ## measure everything against plain Flask, half an hour; QUICK=1 takes some minutes
	$(BIN)/python -m tests.bench $(if $(QUICK),--quick) $(ARGS)

.PHONY: growth
growth: $(VENV)/dev ## measure how much a stored game takes, and what a move costs the store
	$(BIN)/python -m tests.bench.growth

.PHONY: strength
strength: $(COMPILED)/made ## measure how strong the bots are, for hours; ARGS="duel --seats 2 --level expert --deals 10" for a part
	PYTHONPATH=$(COMPILED) $(BIN)/python -m tests.bots.strength $(ARGS)

.PHONY: fix
fix: $(VENV)/dev ## format, and mend what ruff can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: texts
texts: $(VENV)/dev ## collect the sentences of the source into the catalogues of translations, and compile these
	$(BIN)/pybabel --quiet extract --mapping-file pyproject.toml --no-default-keywords --keywords N_ --keywords Text \
		--keywords illegal:2 --keywords say --keywords Message --keywords t --add-location file --no-wrap --sort-by-file --output-file $(VENV)/texts.pot service
	$(BIN)/pybabel --quiet update --domain lostcities --input-file $(VENV)/texts.pot --output-dir $(LOCALE) \
		--no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date --no-wrap
	@$(MAKE) --no-print-directory $(CATALOGUES)

.PHONY: openapi
openapi: $(VENV)/dev ## write openapi/openapi.json anew, with examples recorded from the running service
	$(BIN)/python -m lostcities openapi --output openapi/openapi.json
	$(BIN)/python -m tests.contract.examples
	$(BIN)/python -m lostcities openapi --output openapi/openapi.json

.PHONY: contract
contract: $(VENV)/dev ## judges from outside: linters, clients of generators that play, workflows (needs node and Java 17; Go if there)
	JUDGES=required $(BIN)/pytest tests/contract/test_judges.py tests/contract/test_python_client.py \
		tests/contract/test_generators.py tests/contract/test_workflows.py tests/clients/test_packages.py

.PHONY: clients
clients: $(VENV)/dev ## build the client packages for Python and TypeScript into dist/ (needs node)
	$(BIN)/python openapi/clients/build.py

.PHONY: fuzz
fuzz: $(VENV)/dev ## schemathesis for 20 minutes: every check, every phase
	$(BIN)/python -m tests.contract.fuzz 1200

.PHONY: goldens
goldens: $(VENV)/dev ## write the golden playthroughs anew
	$(BIN)/python -m tests.conformance.playthroughs

.PHONY: corpus
corpus: $(COMPILED)/made ## write the corpus in openapi/corpus anew, and certify it with every wrong rule, some minutes
	PYTHONPATH=$(COMPILED) $(BIN)/python -m lostcities corpus write
	$(BIN)/python -m tests.corpus.mutation

.PHONY: pictures
pictures: $(VENV)/dev ## write the pictures of the README anew
	$(BIN)/python -m tests.pictures

.PHONY: lock
lock: $(BIN)/uv ## resolve the dependencies anew, with hashes and without addresses
	$(BIN)/uv pip compile --quiet --upgrade --generate-hashes --no-emit-index-url --universal --python-version 3.11 \
		--no-header pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --upgrade --generate-hashes --no-emit-index-url --universal --python-version 3.11 \
		--no-header pyproject.toml --extra env --extra mcp --extra openspiel --extra otel --group dev -c requirements.lock -o requirements-dev.lock
	$(BIN)/uv pip compile --quiet --upgrade --generate-hashes --no-emit-index-url --universal --python-version 3.11 \
		--no-header --group compile -c requirements-dev.lock -o deploy/compile.lock
	$(BIN)/uv pip compile --quiet --upgrade --generate-hashes --no-emit-index-url --universal --python-version 3.11 \
		--no-header --group generators -c requirements-dev.lock -o tests/contract/generators.lock
	$(BIN)/uv pip compile --quiet --upgrade --generate-hashes --no-emit-index-url --universal --python-version 3.11 \
		--no-header --group installer -o deploy/installer.lock
	$(BIN)/uv pip compile --quiet --upgrade --generate-hashes --no-emit-index-url --universal --python-version 3.11 \
		--no-header --group audit -c requirements-dev.lock -o deploy/audit.lock

.PHONY: sbom
sbom: ## write the software bill of materials to dist/sbom.json
	@mkdir -p dist
	$(PYTHON) deploy/sbom.py > dist/sbom.json

$(AUDIT)/made: $(BIN)/uv deploy/audit.lock
	@rm -rf $(AUDIT) && $(PYTHON) -m venv $(AUDIT)
	@$(call install,deploy/audit.lock,$(AUDIT)/bin)
	@touch $@

.PHONY: audit
audit: $(AUDIT)/made ## ask the public database of vulnerabilities about every locked package
	$(AUDIT)/bin/pip-audit --disable-pip --require-hashes --requirement requirements.lock \
		--requirement requirements-dev.lock --requirement deploy/compile.lock --requirement deploy/installer.lock \
		--requirement deploy/audit.lock --requirement tests/contract/generators.lock

.PHONY: passwords
passwords: deploy/.env ## write random passwords for the compose file to deploy/.env, unless they are there

deploy/.env:
	@umask 077 && $(PYTHON) -c 'import secrets; [print(f"{name}_PASSWORD={secrets.token_hex(32)}") for name in ("STORE", "GRAFANA")]' > $@

.PHONY: clean
clean: ## remove the virtual environment and the caches; games in .data stay
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
