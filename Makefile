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
ARG_ROUNDS := $(value ROUNDS)
ARG_SOURCE := $(value SOURCE)
ARG_EXPIRES := $(value EXPIRES)
ARG_GRACE := $(value GRACE)
export ARG_FILE ARG_YEAR ARG_NAME ARG_EMAIL ARG_LIMIT ARG_LIVE ARG_PREFIX ARG_ROUNDS ARG_SOURCE ARG_EXPIRES ARG_GRACE
unexport FILE YEAR NAME EMAIL LIMIT LIVE PREFIX ROUNDS SOURCE EXPIRES GRACE

ARG_VERSION := $(value VERSION)
ARG_MONTH := $(value MONTH)
# 0 switches off.
ARG_JSON := $(filter-out 0,$(value JSON))
ARG_CSV := $(filter-out 0,$(value CSV))
ARG_Q := $(value Q)
export ARG_VERSION ARG_MONTH ARG_JSON ARG_CSV ARG_Q
unexport VERSION MONTH JSON CSV Q

ARG_FROM := $(value FROM)
ARG_TO := $(value TO)
ARG_CUT := $(value CUT)
# 0 switches off.
ARG_ALONE := $(filter-out 0,$(value ALONE))
ARG_EVERY := $(value EVERY)
# 0 switches off.
ARG_SMALL := $(filter-out 0,$(value SMALL))
ARG_BOX := $(filter-out 0,$(value BOX))
ARG_HISTORY := $(value HISTORY)
ARG_SAVE := $(value SAVE)
ARG_AGAINST := $(value AGAINST)
export ARG_CUT ARG_ALONE ARG_EVERY ARG_SMALL ARG_BOX ARG_HISTORY ARG_SAVE ARG_AGAINST
unexport CUT ALONE EVERY SMALL BOX HISTORY SAVE AGAINST
# 0 switches off.
ARG_DRY_RUN := $(filter-out 0,$(value DRY_RUN))
ARG_FORCE := $(filter-out 0,$(value FORCE))
ARG_PUBLISH := $(filter-out 0,$(value PUBLISH))
ARG_LEVELS := $(filter-out 0,$(value LEVELS))
export ARG_FROM ARG_TO ARG_DRY_RUN ARG_FORCE ARG_PUBLISH ARG_LEVELS
unexport FROM TO DRY_RUN FORCE PUBLISH LEVELS

RUN := npm run --silent
# Not through npm, which takes a quarter of a second of every command.
HEADWIND := node_modules/.bin/node jobs/main.ts
# npm writes this file last, so it stands for a finished install of what the service runs on.
INSTALLED := node_modules/.package-lock.json
# What tests, linters and benches need beside it. Once there it stays.
TOOLS := node_modules/.tools
# One npm at a time, whatever -j says.
.NOTPARALLEL:

##@ Start

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: $(TOOLS) ## install what is missing: npm packages, redis-server, libxgboost0
	@$(RUN) setup && echo 'Ready. Next: make run'

# 130 is Ctrl-C: the ordinary end of it, not an error.
.PHONY: run
run: ready ## start everything: Redis, worker and API; the first start loads the seed
	@trap : INT; $(HEADWIND) run || [ $$? -eq 130 ]

.PHONY: api
api: ready ## start the API alone
	@$(subst jobs/main.ts,--max-semi-space-size=16 --min-semi-space-size=16 jobs/main.ts,$(HEADWIND)) serve

.PHONY: worker
worker: ready ## start a worker alone
	@$(HEADWIND) worker

##@ Bring data in

.PHONY: ingest
ingest: EXAMPLE = make ingest FILE="flights-2018.csv.gz"
ingest: export ARG_SHA256 := $(value SHA256)
ingest: export ARG_TOGETHER := $(filter-out 0,$(value TOGETHER))
ingest: need-FILE ready ## read flight files into the lake and warehouse: FILE="path [path…]" [TOGETHER=1] [YEAR=2018] [SHA256=] [DRY_RUN=1] [FORCE=1] [PUBLISH=1]
	@if [ -e "$$ARG_FILE" ]; then set -- "$$ARG_FILE"; else set -- $$ARG_FILE; fi; $(HEADWIND) ingest "$$@" $${ARG_TOGETHER:+--together} $${ARG_YEAR:+--year "$$ARG_YEAR"} $${ARG_SHA256:+--sha256 "$$ARG_SHA256"} $${ARG_DRY_RUN:+--dry-run} $${ARG_FORCE:+--force} $${ARG_PUBLISH:+--publish}

.PHONY: backfill
backfill: EXAMPLE = make backfill FROM=2025-01 TO=2025-12
backfill: need-FROM need-TO ready ## load months from BTS: FROM=2025-01 TO=2025-12 [DRY_RUN=1] [FORCE=1] [PUBLISH=1] [SOURCE=url-or-folder]
	@$(HEADWIND) backfill --from "$$ARG_FROM" --to "$$ARG_TO" $${ARG_SOURCE:+--source "$$ARG_SOURCE"} $${ARG_DRY_RUN:+--dry-run} $${ARG_FORCE:+--force} $${ARG_PUBLISH:+--publish}

.PHONY: backfill-weather
backfill-weather: EXAMPLE = make backfill-weather FROM=2025-01 TO=2025-12
backfill-weather: export ARG_ZONE := $(value ZONE)
backfill-weather: need-FROM need-TO ready ## load weather of the past, for what months are like: FROM= TO= [FORCE=1] [SOURCE=url-or-file] [ZONE=local]
	@$(HEADWIND) backfill-weather --from "$$ARG_FROM" --to "$$ARG_TO" $${ARG_SOURCE:+--source "$$ARG_SOURCE"} $${ARG_ZONE:+--zone "$$ARG_ZONE"} $${ARG_FORCE:+--force}

.PHONY: features
features: ready ## rebuild the marts and run their checks
	@$(HEADWIND) features

.PHONY: publish
publish: ready ## write a score store and make it current
	@$(HEADWIND) publish

.PHONY: nightly
nightly: ready ## do now what the night does: fetch the months that came out, build, check, train, publish
	@$(HEADWIND) nightly

##@ See what is there

.PHONY: status
status: ready ## show months, runs, checks, store, model, schedules and queues: [MONTH=2025-03] [JSON=1]
	@$(HEADWIND) status $${ARG_MONTH:+--month "$$ARG_MONTH"} $${ARG_JSON:+--json}

.PHONY: acknowledge
acknowledge: ready ## take off the failed jobs and refused months that make status tells; each that comes again is told again
	@$(HEADWIND) acknowledge

.PHONY: check-data
check-data: export ARG_SELECT := $(value SELECT)
check-data: ready ## run the checks on what is loaded now: [SELECT=month_volume], with the rows it finds
	@$(RUN) headwind -- check-data $${ARG_SELECT:+--select "$$ARG_SELECT"}

.PHONY: sql
sql: EXAMPLE = make sql Q="from runs"
sql: need-Q ready ## answer a SELECT from the warehouse and the lake, which stay as they are: Q="from runs" [JSON=1] [CSV=1]
	@$(HEADWIND) sql $${ARG_JSON:+--json} $${ARG_CSV:+--csv} -- "$$ARG_Q"

.PHONY: shell
shell: ready ## open DuckDB's own prompt on a copy of the warehouse that no job waits for
	@$(HEADWIND) shell

.PHONY: doctor
doctor: ready ## look at machine, disk, clock, Redis, every byte kept, schedules, upstreams, and say what helps: [JSON=1]
	@$(HEADWIND) doctor $${ARG_JSON:+--json}

.PHONY: verify
verify: ready ## hold every file kept against what was written: lake, versions, downloads, models, store: [JSON=1]
	@$(HEADWIND) verify $${ARG_JSON:+--json}

##@ Go back, and keep safe

.PHONY: restore
restore: EXAMPLE = make restore MONTH=2025-03
restore: need-MONTH ready ## bring earlier versions of months back: MONTH=2025-03 or 2025-03..2025-06 [VERSION=] [LEVELS=1] [PUBLISH=1]
	@$(HEADWIND) restore "$$ARG_MONTH" $${ARG_VERSION:+"$$ARG_VERSION"} $${ARG_LEVELS:+--levels} $${ARG_PUBLISH:+--publish}

.PHONY: drop
drop: EXAMPLE = make drop MONTH=2025-03
drop: need-MONTH ready ## take a month out of lake and warehouse; make restore brings it back: MONTH=2025-03 [LEVELS=1] [PUBLISH=1]
	@$(HEADWIND) drop "$$ARG_MONTH" $${ARG_LEVELS:+--levels} $${ARG_PUBLISH:+--publish}

.PHONY: rollback
rollback: ready ## make an earlier score store current again: [VERSION=20261101T023000Z-0123456789ab]
	@$(HEADWIND) rollback $${ARG_VERSION:+"$$ARG_VERSION"}

.PHONY: rebuild
rebuild: ready ## make the DuckDB file anew from the lake; the old one stays until the new one is whole
	@$(HEADWIND) rebuild

.PHONY: backup
backup: EXAMPLE = make backup TO=/backups/headwind
backup: need-TO ready ## copy lake, models and keys to another disk, while the service runs: TO=folder
	@$(HEADWIND) backup --to "$$ARG_TO"

.PHONY: restore-backup
restore-backup: EXAMPLE = make restore-backup FROM=/backups/headwind
restore-backup: need-FROM ready ## bring lake, models, keys and counts back, rebuild and publish: FROM=folder [FORCE=1]
	@$(HEADWIND) restore-backup --from "$$ARG_FROM" $${ARG_FORCE:+--force}

.PHONY: lake-copy
lake-copy: EXAMPLE = make lake-copy FROM=data/lake TO=s3://bucket/lake
lake-copy: need-FROM need-TO ready ## copy a lake between folder and bucket and read it back: FROM= TO= [FORCE=1]
	@$(HEADWIND) lake-copy --from "$$ARG_FROM" --to "$$ARG_TO" $${ARG_FORCE:+--force}

##@ The model

.PHONY: train
train: export ARG_ACCEPT := $(value ACCEPT)
train: ready ## train a model on the loaded months; it is released if it beats the one before: [ACCEPT=regional]
	@$(HEADWIND) train $${ARG_ACCEPT:+--accept "$$ARG_ACCEPT"}

.PHONY: model
model: ready ## show the models: what they learned from, how they fared, which is served: [JSON=1]
	@$(HEADWIND) model $${ARG_JSON:+--json}

.PHONY: model-pin
model-pin: EXAMPLE = make model-pin VERSION=bundled
model-pin: need-VERSION ready ## have every publish take this model, whatever is released: VERSION=0123456789ab
	@$(HEADWIND) model-pin "$$ARG_VERSION"

.PHONY: model-unpin
model-unpin: ready ## have publishes take the released model again
	@$(HEADWIND) model-unpin

.PHONY: model-rollback
model-rollback: ready ## make an earlier model the released one: [VERSION=0123456789ab]
	@$(HEADWIND) model-rollback $${ARG_VERSION:+"$$ARG_VERSION"}

.PHONY: backtest
backtest: EXAMPLE = make backtest FILE=flights-2017.parquet CUT=2017-10-01
backtest: need-FILE need-CUT ready ## forecast flights from a day on with what was known before: FILE=path[,path] CUT=2017-10-01 [EVERY=1] [YEAR=2018] [ALONE=1] [BOX=1] [SMALL=1] [HISTORY=folder] [SAVE=file] [AGAINST=file] [JSON=1]
	@if [ -e "$$ARG_FILE" ]; then set -- "$$ARG_FILE"; else set -- $$(printf %s "$$ARG_FILE" | tr , ' '); fi; $(HEADWIND) backtest --cut "$$ARG_CUT" $${ARG_YEAR:+--year "$$ARG_YEAR"} $${ARG_EVERY:+--every "$$ARG_EVERY"} $${ARG_ALONE:+--alone} $${ARG_BOX:+--box} $${ARG_SMALL:+--small} $${ARG_HISTORY:+--history "$$ARG_HISTORY"} $${ARG_SAVE:+--save "$$ARG_SAVE"} $${ARG_AGAINST:+--against "$$ARG_AGAINST"} $${ARG_JSON:+--json} -- "$$@"

.PHONY: backtest-levels
backtest-levels: EXAMPLE = make backtest-levels FILE=delay-causes.csv
backtest-levels: need-FILE ready ## forecast the months of BTS's delay-cause table: FILE=path [CUT=2023-01-01] [JSON=1]
	@$(HEADWIND) backtest-levels "$$ARG_FILE" $${ARG_CUT:+--cut "$$ARG_CUT"} $${ARG_JSON:+--json}

##@ Keys

.PHONY: key
key: EXAMPLE = make key NAME="Acme Travel" EMAIL=dev@acme.example LIMIT=5000
key: need-NAME need-EMAIL ready ## make a test key, or with LIVE=1 a production key: NAME="Acme Travel" EMAIL=dev@acme.example [LIMIT=5000|unlimited] [EXPIRES=2027-01-01] [LIVE=1]
	@$(HEADWIND) key --name "$$ARG_NAME" --email "$$ARG_EMAIL" $${ARG_LIMIT:+--limit "$$ARG_LIMIT"} $${ARG_EXPIRES:+--expires "$$ARG_EXPIRES"} $$([ "$$ARG_LIVE" = 1 ] && echo --live)

.PHONY: keys
keys: ready ## list keys: prefix, name, limit, used, last seen; one of them by endpoint: [PREFIX=hw_live_3fK9aZ] [JSON=1]
	@$(HEADWIND) keys $${ARG_PREFIX:+--prefix "$$ARG_PREFIX"} $${ARG_JSON:+--json}

.PHONY: key-limit
key-limit: EXAMPLE = make key-limit PREFIX=hw_live_3fK9aZ LIMIT=20000
key-limit: need-PREFIX need-LIMIT ready ## change the calls a key has a month, at once: PREFIX=hw_live_3fK9aZ LIMIT=20000|unlimited
	@$(HEADWIND) key-limit --prefix "$$ARG_PREFIX" --limit "$$ARG_LIMIT"

.PHONY: key-rotate
key-rotate: EXAMPLE = make key-rotate PREFIX=hw_live_3fK9aZ GRACE=7d
key-rotate: need-PREFIX ready ## make a new key with the limit and counts of an old one, which ends after the grace: PREFIX=hw_live_3fK9aZ [GRACE=7d]
	@$(HEADWIND) key-rotate --prefix "$$ARG_PREFIX" $${ARG_GRACE:+--grace "$$ARG_GRACE"}

.PHONY: key-expiry
key-expiry: EXAMPLE = make key-expiry PREFIX=hw_live_3fK9aZ EXPIRES=2027-01-01
key-expiry: need-PREFIX need-EXPIRES ready ## have a key end on a day: PREFIX=hw_live_3fK9aZ EXPIRES=2027-01-01|never
	@$(HEADWIND) key-expiry --prefix "$$ARG_PREFIX" --expires "$$ARG_EXPIRES"

.PHONY: key-deactivate
key-deactivate: EXAMPLE = make key-deactivate PREFIX=hw_live_3fK9aZ
key-deactivate: need-PREFIX ready ## refuse a key from now on: PREFIX=hw_live_3fK9aZ
	@$(HEADWIND) key-deactivate --prefix "$$ARG_PREFIX"

.PHONY: key-activate
key-activate: EXAMPLE = make key-activate PREFIX=hw_live_3fK9aZ
key-activate: need-PREFIX ready ## accept a deactivated key again: PREFIX=hw_live_3fK9aZ
	@$(HEADWIND) key-activate --prefix "$$ARG_PREFIX"

.PHONY: keys-restore
keys-restore: ready ## bring keys and counts back from the archive, after Redis was lost
	@$(HEADWIND) keys-restore

.PHONY: admin-key
admin-key: ready ## make an admin key, which may create keys over HTTP: [NAME="Operations"]
	@$(HEADWIND) admin-key --name "$${ARG_NAME:-admin}"

##@ Develop

.PHONY: check
check: lint typecheck test ## all that CI checks, in its order

.PHONY: test
test: $(TOOLS) ready ## run the tests; some of them: npm test -- test/models/blend.test.ts
	@node_modules/.bin/node jobs/cli/setup.ts --tests
	@$(RUN) test

.PHONY: lint
lint: $(TOOLS) ## lint, and check the formatting
	@$(RUN) lint

.PHONY: typecheck
typecheck: $(TOOLS) ## check the types
	@$(RUN) typecheck

.PHONY: format
format: $(TOOLS) ## format the code in place
	@$(RUN) format

.PHONY: sbom
sbom: ready ## list every package the service runs on, with version and licence, as CycloneDX on standard output
	@npm sbom --silent --omit=dev --sbom-format=cyclonedx

##@ Measure

.PHONY: bench
bench: export ARG_PART := $(value PART)
bench: $(TOOLS) ready ## measure beside bare DuckDB and bare Koa: [PART="ingest nightly train api store model live metrics visitors engines growth"] [AGAINST=commit-or-folder, with PART=api]
	@$(RUN) bench -- $$ARG_PART $${ARG_AGAINST:+--against "$$ARG_AGAINST"}

.PHONY: chaos
chaos: export ARG_PART := $(value PART)
chaos: export ARG_SECONDS := $(value SECONDS)
chaos: export ARG_MINUTES := $(value MINUTES)
chaos: $(TOOLS) ready ## kill, freeze and cut off what runs, part by part (docs/reliability.md): [PART="pipeline undo readers quota failover replicas hosts clock outage storage memory deploy soak"] [ROUNDS=] [SECONDS=6,60,600] [MINUTES=60]
	@$(RUN) chaos -- $$ARG_PART $${ARG_ROUNDS:+--rounds "$$ARG_ROUNDS"} $${ARG_SECONDS:+--seconds "$$ARG_SECONDS"} $${ARG_MINUTES:+--minutes "$$ARG_MINUTES"}

.PHONY: fuzz
fuzz: export ARG_REQUESTS := $(value REQUESTS)
fuzz: export ARG_SEED := $(value SEED)
fuzz: $(TOOLS) ready ## send malformed and hostile requests to a real API: [REQUESTS=100000] [SEED=1]
	@$(RUN) fuzz -- --requests "$${ARG_REQUESTS:-100000}" --seed "$${ARG_SEED:-1}"

.PHONY: generate
generate: EXAMPLE = make generate FROM=2025-01 TO=2025-12 OUT=/tmp/bts
generate: export ARG_OUT := $(value OUT)
generate: export ARG_ROWS := $(value ROWS)
generate: export ARG_SEED := $(value SEED)
generate: need-FROM need-OUT $(TOOLS) ## write made-up months in the form of BTS, to try things with: FROM=2025-01 OUT=folder [TO=2025-12] [ROWS=600000] [SEED=1] [CSV=1]
	@$(RUN) generate -- --from "$$ARG_FROM" --out "$$ARG_OUT" $${ARG_TO:+--to "$$ARG_TO"} $${ARG_ROWS:+--rows "$$ARG_ROWS"} $${ARG_SEED:+--seed "$$ARG_SEED"} $${ARG_CSV:+--csv}

.PHONY: alerts
alerts: export ARG_ALERT := $(value ALERT)
alerts: $(TOOLS) ready ## hurt a real service so that each alert fires into a webhook and clears; as root, with Prometheus installed: [ALERT=HeadwindSlow]
	@$(RUN) alerts -- $$ARG_ALERT

##@ Make anew what ships with the code

.PHONY: seed
seed: EXAMPLE = make seed SOURCE=../flights
seed: need-SOURCE ready ## compute the history that ships with the code anew: SOURCE=folder
	@$(HEADWIND) seed "$$ARG_SOURCE"

.PHONY: holidays
holidays: ready ## work out the days off that ship with the code anew
	@$(RUN) fit -- holidays

.PHONY: airports
airports: ready ## write the airports that ship with the code anew
	@$(RUN) fit -- airports

.PHONY: marks
marks: ready ## fit what a point of the score is worth anew and seal it: [SOURCE=folder of flight files]
	@$(RUN) marks -- $${ARG_SOURCE:+"$$ARG_SOURCE"}

.PHONY: weather-risk
weather-risk: ready ## fit what weather does to delays anew and seal it: [SOURCE=folder of the public data]
	@$(RUN) fit -- weather --write $${ARG_SOURCE:+"$$ARG_SOURCE"}

.PHONY: score-scales
score-scales: ready ## draw how scores spread over flights, for docs/features.md
	@$(RUN) fit -- scales --write

# `npm ci` deletes what is installed. Where a service may run on that, it is brought up to date in place.
INSTALL := npm $$([ -e $(INSTALLED) ] && echo install --no-save || echo ci) --loglevel=error

# The lock rules the versions; package.json is left out, or every new script would mean an install.
$(INSTALLED): package-lock.json .npmrc
	@echo 'Installing npm packages (about half a minute)…'
	@$(INSTALL) $$([ -e $(TOOLS) ] || echo --omit=dev)
	@touch $@
	@$(RUN) setup

$(TOOLS): package-lock.json .npmrc
	@echo 'Installing npm packages, those of the tests too (about a minute)…'
	@$(INSTALL)
	@touch $(INSTALLED) $@
	@$(RUN) setup

# A fresh install has just looked for the system packages; any other time a look costs little.
.PHONY: ready
ready: $(INSTALLED)
	@node_modules/.bin/node jobs/cli/setup.ts --required

# Stops before any work when a value is not given.
need-%:
	@test -n "$$ARG_$*" || { echo '$* is missing. Example: $(EXAMPLE)' >&2; exit 2; }
