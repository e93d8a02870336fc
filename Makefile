.DEFAULT_GOAL := help
SHELL := /bin/sh
.NOTPARALLEL:

# Values travel as environment variables, byte for byte: make neither expands nor quotes them.
ARG_FILE := $(value FILE)
ARG_YEAR := $(value YEAR)
ARG_NAME := $(value NAME)
ARG_EMAIL := $(value EMAIL)
ARG_LIMIT := $(value LIMIT)
ARG_LIVE := $(value LIVE)
ARG_PREFIX := $(value PREFIX)
ARG_SOURCE := $(value SOURCE)
export ARG_FILE ARG_YEAR ARG_NAME ARG_EMAIL ARG_LIMIT ARG_LIVE ARG_PREFIX ARG_SOURCE
unexport FILE YEAR NAME EMAIL LIMIT LIVE PREFIX SOURCE

RUN := npm run --silent
# npm writes this file last, so it stands for a finished install.
INSTALLED := node_modules/.package-lock.json

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: $(INSTALLED) ## install what is missing: npm packages, redis-server, libxgboost0
	@$(RUN) setup && echo 'Ready. Next: make run'

# 130 is Ctrl-C: the ordinary end of it, not an error.
.PHONY: run
run: ready ## start everything: Redis, worker and API; the first start loads the seed
	@trap : INT; $(RUN) headwind -- run || [ $$? -eq 130 ]

.PHONY: check
check: lint typecheck test ## all that CI checks, in its order

.PHONY: test
test: ready ## run the tests; some of them: npm test -- test/models/blend.test.ts
	@$(RUN) test

.PHONY: lint
lint: $(INSTALLED) ## lint, and check the formatting
	@$(RUN) lint

.PHONY: typecheck
typecheck: $(INSTALLED) ## check the types
	@$(RUN) typecheck

.PHONY: format
format: $(INSTALLED) ## format the code in place
	@$(RUN) format

.PHONY: ingest
ingest: EXAMPLE = make ingest FILE="flights-2018.csv.gz"
ingest: need-FILE ready ## read flight files into the lake and warehouse: FILE="path [path…]" [YEAR=2018]
	@if [ -e "$$ARG_FILE" ]; then set -- "$$ARG_FILE"; else set -- $$ARG_FILE; fi; $(RUN) headwind -- ingest "$$@" $${ARG_YEAR:+--year "$$ARG_YEAR"}

.PHONY: features
features: ready ## rebuild the marts and run their checks
	@$(RUN) headwind -- features

.PHONY: publish
publish: ready ## write a score store and make it current
	@$(RUN) headwind -- publish

.PHONY: seed
seed: EXAMPLE = make seed SOURCE=../flights
seed: need-SOURCE ready ## compute the history that ships with the code anew: SOURCE=folder
	@$(RUN) headwind -- seed "$$ARG_SOURCE"

.PHONY: bench
bench: export ARG_PART := $(value PART)
bench: ready ## measure the pipeline beside bare DuckDB: [PART=ingest|nightly]
	@$(RUN) bench -- $$ARG_PART

.PHONY: api
api: ready ## start the API alone
	@$(RUN) keys -- serve

.PHONY: worker
worker: ready ## start a worker alone
	@$(RUN) headwind -- worker

.PHONY: admin-key
admin-key: ready ## make an admin key, which may create keys over HTTP: [NAME="Operations"]
	@$(RUN) keys -- admin-key --name "$${ARG_NAME:-admin}"

.PHONY: key
key: EXAMPLE = make key NAME="Acme Travel" EMAIL=dev@acme.example LIMIT=5000
key: need-NAME need-EMAIL ready ## make a test key, or with LIVE=1 a production key: NAME="Acme Travel" EMAIL=dev@acme.example [LIMIT=5000] [LIVE=1]
	@$(RUN) keys -- key --name "$$ARG_NAME" --email "$$ARG_EMAIL" $${ARG_LIMIT:+--limit "$$ARG_LIMIT"} $${ARG_LIVE:+--live}

.PHONY: key-deactivate
key-deactivate: EXAMPLE = make key-deactivate PREFIX=hw_live_3fK9aZ
key-deactivate: need-PREFIX ready ## refuse a key from now on: PREFIX=hw_live_3fK9aZ
	@$(RUN) keys -- key-deactivate --prefix "$$ARG_PREFIX"

.PHONY: key-activate
key-activate: EXAMPLE = make key-activate PREFIX=hw_live_3fK9aZ
key-activate: need-PREFIX ready ## accept a deactivated key again: PREFIX=hw_live_3fK9aZ
	@$(RUN) keys -- key-activate --prefix "$$ARG_PREFIX"

# The lock rules the versions; package.json is left out, or every new script would mean an install.
# Not `npm ci`: it refuses a lock that lacks other systems' optional packages, which npm leaves out.
$(INSTALLED): package-lock.json .npmrc
	@echo 'Installing npm packages (about half a minute)…'
	@npm install --no-save --loglevel=error
	@touch $@
	@$(RUN) setup

# A fresh install has just looked for the system packages; any other time a look costs little.
.PHONY: ready
ready: $(INSTALLED)
	@node_modules/.bin/node jobs/setup.ts --required

# Stops before any work when a value is not given.
need-%:
	@test -n "$$ARG_$*" || { echo '$* is missing. Example: $(EXAMPLE)' >&2; exit 2; }
