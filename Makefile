.DEFAULT_GOAL := help
SHELL := /bin/sh
# Runs one npm at a time, even with -j.
.NOTPARALLEL:

# The variables that commands take. They pass through the environment unchanged: make neither expands nor quotes them.
VALUES := ACCEPT AGAINST ALERT AT CRON CUT EMAIL EVERY EXPIRES FILE FROM GRACE HISTORY KID LIMIT LIVE \
  MINUTES MONTH NAME OUT PART PREFIX PROVIDER Q QUERY RATES_FROM REQUESTS ROUNDS ROWS SAVE SECONDS SEED SELECT \
  SHA256 SIGNATURE SOURCE STORE TO UNTIL VERSION YEAR ZONE
# Flags are on with any value but 0.
FLAGS := ALONE BOX CSV DRY_RUN FORCE JSON LEVELS PAUSE PUBLISH RESET RESUME SMALL TOGETHER
$(foreach name,$(VALUES),$(eval ARG_$(name) := $$(value $(name))))
$(foreach name,$(FLAGS),$(eval ARG_$(name) := $$(filter-out 0,$$(value $(name)))))
export $(addprefix ARG_,$(VALUES) $(FLAGS))
unexport $(VALUES) $(FLAGS)
# Options for the variables that are set: `--from "$$ARG_FROM"` for FROM=2025-01, `--dry-run` for DRY_RUN=1.
options = $(foreach name,$(1),$${ARG_$(name):+--$(shell echo $(name) | tr A-Z_ a-z-)$(if $(filter $(name),$(VALUES)), "$$ARG_$(name)")})

RUN := npm run --silent
# Bypasses npm, which adds a quarter of a second to every command.
HEADWIND := node_modules/.bin/node jobs/main.ts
# npm writes this file last, so its presence means that the packages of the service are installed.
INSTALLED := node_modules/.package-lock.json
# Marks that the packages of tests, linters and benches are installed too.
TOOLS := node_modules/.tools
##@ Start

.PHONY: help
help: ## print this list
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: $(TOOLS) ## install missing npm packages, redis-server and libxgboost0
	@$(RUN) setup && echo 'Ready. Next: make run'

# Exit code 130 means Ctrl-C, the usual way to stop, so it is not an error.
.PHONY: run
run: ready ## start Redis, a worker and the API; the first start loads the bundled history
	@trap : INT; $(HEADWIND) run || [ $$? -eq 130 ]

.PHONY: api
api: ready ## start only the API
	@$(subst jobs/main.ts,--max-semi-space-size=16 --min-semi-space-size=16 --no-minor-gc-task jobs/main.ts,$(HEADWIND)) serve

.PHONY: worker
worker: ready ## start only a worker
	@$(HEADWIND) worker

##@ Load data

.PHONY: ingest
ingest: EXAMPLE = make ingest FILE="flights-2018.csv.gz"
ingest: need-FILE ready ## load flight files into the lake and the warehouse: FILE="path [path…]" [TOGETHER=1] [YEAR=2018] [SHA256=] [DRY_RUN=1] [FORCE=1] [PUBLISH=1]
	@if [ -e "$$ARG_FILE" ]; then set -- "$$ARG_FILE"; else set -- $$ARG_FILE; fi; $(HEADWIND) ingest "$$@" $(call options,TOGETHER YEAR SHA256 DRY_RUN FORCE PUBLISH)

.PHONY: backfill
backfill: EXAMPLE = make backfill FROM=2025-01 TO=2025-12
backfill: need-FROM need-TO ready ## load a range of months from BTS or another provider: FROM=2025-01 TO=2025-12 [PROVIDER=caa] [DRY_RUN=1] [FORCE=1] [PUBLISH=1] [SOURCE=url-or-folder]
	@$(HEADWIND) backfill $(call options,PROVIDER FROM TO SOURCE DRY_RUN FORCE PUBLISH)

.PHONY: backfill-weather
backfill-weather: EXAMPLE = make backfill-weather FROM=2025-01 TO=2025-12
backfill-weather: need-FROM need-TO ready ## load past weather, for typical weather by month: FROM=2025-01 TO=2025-12 [FORCE=1] [SOURCE=url-or-file] [ZONE=local]
	@$(HEADWIND) backfill-weather $(call options,FROM TO SOURCE ZONE FORCE)

.PHONY: features
features: ready ## rebuild the marts and run the checks
	@$(HEADWIND) features

.PHONY: publish
publish: ready ## write a new score store and serve it
	@$(HEADWIND) publish

.PHONY: nightly
nightly: ready ## start the nightly run now: fetch new months, build, check, train, publish
	@$(HEADWIND) nightly

.PHONY: record
record: ready ## freeze tonight's forecasts and compare former ones with the actual flights; FROM and TO replay months of the lake: [FROM=2018-10] [TO=2018-12]
	@$(HEADWIND) record $(call options,FROM TO)

.PHONY: snapshot
snapshot: ready ## write the forecasts of the next month as signed Parquet and CSV files
	@$(HEADWIND) snapshot

##@ Inspect

.PHONY: status
status: ready ## show health, months, runs, checks, store, model, schedules and queues: [MONTH=2025-03] [PROVIDER=caa] [JSON=1]
	@$(HEADWIND) status $(call options,MONTH PROVIDER JSON)

.PHONY: schedule
schedule: ready ## list the schedules with their next and last runs; pause or change one: [NAME=news] [CRON="*/15 * * * *"|off] [PAUSE=1] [RESUME=1] [RESET=1] [JSON=1]
	@$(HEADWIND) schedule $${ARG_CRON:+--pattern "$$ARG_CRON"} $(call options,PAUSE RESUME RESET JSON) -- $${ARG_NAME:+"$$ARG_NAME"}

.PHONY: acknowledge
acknowledge: ready ## clear the failed jobs, refused months and warnings that make status lists; new ones are still listed
	@$(HEADWIND) acknowledge

.PHONY: check-data
check-data: ready ## run the checks on the loaded data; SELECT prints the rows that fail one check: [SELECT=month_volume]
	@$(RUN) headwind -- check-data $(call options,SELECT)

.PHONY: sql
sql: EXAMPLE = make sql Q="from runs"
sql: need-Q ready ## run a read-only query on the warehouse and the lake: Q="from runs" [PROVIDER=caa] [JSON=1] [CSV=1]
	@$(HEADWIND) sql $(call options,PROVIDER JSON CSV) -- "$$ARG_Q"

.PHONY: shell
shell: ready ## open a DuckDB prompt on a copy of the warehouse; no job waits for it
	@$(HEADWIND) shell

.PHONY: doctor
doctor: ready ## check machine, disk, clock, Redis, all stored files, schedules and upstreams, and suggest fixes: [JSON=1]
	@$(HEADWIND) doctor $(call options,JSON)

.PHONY: free-space
free-space: ready ## delete downloads and temporary files, and list what else fills the disk; works on a full disk
	@$(HEADWIND) free-space

.PHONY: stores
stores: ready ## list and verify the stored versions of the score store, with the live data of their answers: [JSON=1]
	@$(HEADWIND) stores $(call options,JSON)

.PHONY: answer-again
answer-again: ready ## compute a former answer again: STORE=version QUERY="origin=JFK&dest=LAX&…" [AT=2026-11-23T10:15:00Z], or FILE=answer.txt [SIGNATURE=] [QUERY=]
	@$(HEADWIND) answer-again $(call options,STORE QUERY AT FILE SIGNATURE)

.PHONY: verify
verify: ready ## compare every stored file with its checksum: lake, versions, downloads, models, store: [JSON=1]
	@$(HEADWIND) verify $(call options,JSON)

##@ Undo and back up

.PHONY: restore
restore: EXAMPLE = make restore MONTH=2025-03
restore: need-MONTH ready ## list former versions of months and restore the one before: MONTH=2025-03 or 2025-03..2025-06 [PROVIDER=caa] [VERSION=] [DRY_RUN=1] [FORCE=1] [LEVELS=1] [PUBLISH=1]
	@$(HEADWIND) restore "$$ARG_MONTH" $${ARG_VERSION:+"$$ARG_VERSION"} $(call options,PROVIDER DRY_RUN FORCE LEVELS PUBLISH)

.PHONY: drop
drop: EXAMPLE = make drop MONTH=2025-03
drop: need-MONTH ready ## remove a month from the lake and the warehouse; make restore undoes it: MONTH=2025-03 [PROVIDER=caa] [LEVELS=1] [PUBLISH=1]
	@$(HEADWIND) drop "$$ARG_MONTH" $(call options,PROVIDER LEVELS PUBLISH)

.PHONY: rollback
rollback: ready ## serve a former score store again: [VERSION=20261101T023000Z-0123456789ab]
	@$(HEADWIND) rollback $${ARG_VERSION:+"$$ARG_VERSION"}

.PHONY: rebuild
rebuild: ready ## rebuild the DuckDB file from the lake; the old file stays until the new one is complete
	@$(HEADWIND) rebuild

.PHONY: backup
backup: ready ## copy lake, models and keys to another disk while the service runs, by default to BACKUP_TO: [TO=folder]
	@$(HEADWIND) backup $(call options,TO)

.PHONY: restore-drill
restore-drill: ready ## restore the newest backup of BACKUP_TO into a temporary folder, and compare its answers with those of the published store
	@$(HEADWIND) restore-drill

.PHONY: restore-backup
restore-backup: EXAMPLE = make restore-backup FROM=/backups/headwind
restore-backup: need-FROM ready ## restore lake, models, keys and counts from a backup, rebuild and publish: FROM=folder [FORCE=1]
	@$(HEADWIND) restore-backup $(call options,FROM FORCE)

.PHONY: upgrade
upgrade: ready ## after an update of the code: back up, migrate and publish for this version: [TO=folder]
	@$(HEADWIND) upgrade $(call options,TO)

.PHONY: lake-copy
lake-copy: EXAMPLE = make lake-copy FROM=data/lake TO=s3://bucket/lake
lake-copy: need-FROM need-TO ready ## copy a lake between a folder and a bucket, and verify the copy: FROM= TO= [FORCE=1]
	@$(HEADWIND) lake-copy $(call options,FROM TO FORCE)

##@ The model

.PHONY: train
train: ready ## train a model on the loaded months; it is released if it beats the released one: [ACCEPT=regional]
	@$(HEADWIND) train $(call options,ACCEPT)

.PHONY: model
model: ready ## list the models: training data, accuracy, and which one is served: [JSON=1]
	@$(HEADWIND) model $(call options,JSON)

.PHONY: model-pin
model-pin: EXAMPLE = make model-pin VERSION=bundled
model-pin: need-VERSION ready ## use this model in every publish, even when another is released: VERSION=0123456789ab
	@$(HEADWIND) model-pin "$$ARG_VERSION"

.PHONY: model-unpin
model-unpin: ready ## use the released model in publishes again
	@$(HEADWIND) model-unpin

.PHONY: model-rollback
model-rollback: ready ## release a former model again: [VERSION=0123456789ab]
	@$(HEADWIND) model-rollback $${ARG_VERSION:+"$$ARG_VERSION"}

.PHONY: model-rows
model-rows: EXAMPLE = make model-rows TO=rows.parquet
model-rows: need-TO ready ## write rows to train a model elsewhere, and the rows on which it is judged: TO=rows.parquet or TO=rows.csv
	@$(HEADWIND) model-rows "$$ARG_TO"

.PHONY: model-import
model-import: EXAMPLE = make model-import FILE=model.onnx
model-import: need-FILE ready ## judge an ONNX model trained elsewhere, and release it if it is better than the released one: FILE=model.onnx [ACCEPT=regional]
	@$(HEADWIND) model-import $(call options,ACCEPT) "$$ARG_FILE"

.PHONY: model-remove
model-remove: ready ## remove an imported model; the next publish uses the last model trained here: [VERSION=0123456789ab]
	@$(HEADWIND) model-remove $${ARG_VERSION:+"$$ARG_VERSION"}

.PHONY: backtest
backtest: EXAMPLE = make backtest FILE=flights-2017.parquet CUT=2017-10-01
backtest: need-FILE need-CUT ready ## forecast the flights after a date from the history before it, and report the accuracy: FILE=path[,path] CUT=2017-10-01 [EVERY=1] [YEAR=2018] [ALONE=1] [BOX=1] [SMALL=1] [HISTORY=folder] [SAVE=file] [AGAINST=file] [JSON=1]
	@if [ -e "$$ARG_FILE" ]; then set -- "$$ARG_FILE"; else set -- $$(printf %s "$$ARG_FILE" | tr , ' '); fi; $(HEADWIND) backtest $(call options,CUT YEAR EVERY ALONE BOX SMALL HISTORY SAVE AGAINST JSON) -- "$$@"

.PHONY: backtest-provider
backtest-provider: EXAMPLE = make backtest-provider FILE=hkia.ndjson.gz CUT=2025-12-01
backtest-provider: need-FILE need-CUT ready ## forecast flights of a provider outside the United States from its earlier flights, and report the accuracy: FILE=path[,path] CUT=2025-12-01 [UNTIL=] [RATES_FROM=2019-01] [JSON=1]
	@if [ -e "$$ARG_FILE" ]; then set -- "$$ARG_FILE"; else set -- $$(printf %s "$$ARG_FILE" | tr , ' '); fi; $(HEADWIND) backtest-provider $(call options,CUT UNTIL RATES_FROM JSON) -- "$$@"

.PHONY: backtest-levels
backtest-levels: EXAMPLE = make backtest-levels FILE=delay-causes.csv
backtest-levels: need-FILE ready ## forecast the months of BTS's delay-cause table, and report the accuracy: FILE=path [CUT=2023-01-01] [JSON=1]
	@$(HEADWIND) backtest-levels "$$ARG_FILE" $(call options,CUT JSON)

##@ Keys

.PHONY: key
key: EXAMPLE = make key NAME="Acme Travel" EMAIL=dev@acme.example LIMIT=5000
key: need-NAME need-EMAIL ready ## create a test key, or a production key with LIVE=1: NAME="Acme Travel" EMAIL=dev@acme.example [LIMIT=5000|unlimited] [EXPIRES=2027-01-01] [LIVE=1]
	@$(HEADWIND) key $(call options,NAME EMAIL LIMIT EXPIRES) $$([ "$$ARG_LIVE" = 1 ] && echo --live)

.PHONY: keys
keys: ready ## list keys with limit, use and last call; PREFIX shows one key with its calls by endpoint: [PREFIX=hw_live_3fK9aZ] [JSON=1]
	@$(HEADWIND) keys $(call options,PREFIX JSON)

.PHONY: key-limit
key-limit: EXAMPLE = make key-limit PREFIX=hw_live_3fK9aZ LIMIT=20000
key-limit: need-PREFIX need-LIMIT ready ## change the monthly limit of a key: PREFIX=hw_live_3fK9aZ LIMIT=20000|unlimited
	@$(HEADWIND) key-limit $(call options,PREFIX LIMIT)

.PHONY: key-rotate
key-rotate: EXAMPLE = make key-rotate PREFIX=hw_live_3fK9aZ GRACE=7d
key-rotate: need-PREFIX ready ## replace a key by a new one with its limit and counts; the old one works until the grace period ends: PREFIX=hw_live_3fK9aZ [GRACE=7d]
	@$(HEADWIND) key-rotate $(call options,PREFIX GRACE)

.PHONY: key-expiry
key-expiry: EXAMPLE = make key-expiry PREFIX=hw_live_3fK9aZ EXPIRES=2027-01-01
key-expiry: need-PREFIX need-EXPIRES ready ## set the last day of a key: PREFIX=hw_live_3fK9aZ EXPIRES=2027-01-01|never
	@$(HEADWIND) key-expiry $(call options,PREFIX EXPIRES)

.PHONY: key-deactivate
key-deactivate: EXAMPLE = make key-deactivate PREFIX=hw_live_3fK9aZ
key-deactivate: need-PREFIX ready ## deactivate a key: PREFIX=hw_live_3fK9aZ
	@$(HEADWIND) key-deactivate $(call options,PREFIX)

.PHONY: key-activate
key-activate: EXAMPLE = make key-activate PREFIX=hw_live_3fK9aZ
key-activate: need-PREFIX ready ## activate a deactivated key again: PREFIX=hw_live_3fK9aZ
	@$(HEADWIND) key-activate $(call options,PREFIX)

.PHONY: watches
watches: ready ## count watches, and list receivers that do not accept their messages
	@$(HEADWIND) watches

.PHONY: signing-keys
signing-keys: ready ## list the keys that sign answers: [JSON=1]
	@$(HEADWIND) signing-keys $(call options,JSON)

.PHONY: signing-key-rotate
signing-key-rotate: ready ## sign answers with a new key; former keys still verify
	@$(HEADWIND) signing-key-rotate

.PHONY: signing-key-revoke
signing-key-revoke: EXAMPLE = make signing-key-revoke KID=0123456789abcdef
signing-key-revoke: need-KID ready ## revoke a leaked key; answers that it signed can no longer be verified: KID=0123456789abcdef
	@$(HEADWIND) signing-key-revoke $(call options,KID)

.PHONY: keys-restore
keys-restore: ready ## restore keys and counts from the archive after Redis lost its data
	@$(HEADWIND) keys-restore

.PHONY: admin-key
admin-key: ready ## create an admin key, which may create keys over HTTP and open /ops: [NAME="Operations"]
	@$(HEADWIND) admin-key --name "$${ARG_NAME:-admin}"

##@ Develop

.PHONY: check
check: lint typecheck test ## lint, check types and run all tests

.PHONY: test
test: $(TOOLS) ready ## run all tests; to run one file: npm test -- test/models/blend.test.ts
	@node_modules/.bin/node jobs/cli/setup.ts --tests
	@$(RUN) test

.PHONY: lint
lint: $(TOOLS) ## lint and check the formatting
	@$(RUN) lint

.PHONY: typecheck
typecheck: $(TOOLS) ## check the types
	@$(RUN) typecheck

.PHONY: format
format: $(TOOLS) ## format the code
	@$(RUN) format

.PHONY: sbom
sbom: ready ## print the packages of the service with version and licence, as CycloneDX
	@npm sbom --silent --omit=dev --sbom-format=cyclonedx

##@ Measure

.PHONY: bench
bench: $(TOOLS) ready ## measure side by side with bare DuckDB and bare Koa: [PART="ingest nightly train api store model trips live metrics visitors growth includes watches"] [AGAINST=commit-or-folder, with PART="api ingest nightly"]
	@$(RUN) bench -- $$ARG_PART $(call options,AGAINST)

.PHONY: chaos
chaos: $(TOOLS) ready ## kill, freeze and cut off running processes and check that nothing is lost (docs/reliability.md): [PART="pipeline undo readers quota watches failover replicas hosts clock outage storage memory deploy soak"] [ROUNDS=] [SECONDS=6,60,600] [MINUTES=60]
	@$(RUN) chaos -- $$ARG_PART $(call options,ROUNDS SECONDS MINUTES)

.PHONY: fuzz
fuzz: $(TOOLS) ready ## send malformed and hostile requests to a real API: [REQUESTS=100000] [SEED=1]
	@$(RUN) fuzz -- --requests "$${ARG_REQUESTS:-100000}" --seed "$${ARG_SEED:-1}"

.PHONY: generate
generate: EXAMPLE = make generate FROM=2025-01 TO=2025-12 OUT=/tmp/bts
generate: need-FROM need-OUT $(TOOLS) ## write synthetic months in BTS's format, for trials: FROM=2025-01 OUT=folder [TO=2025-12] [ROWS=600000] [SEED=1] [CSV=1]
	@$(RUN) generate -- $(call options,FROM OUT TO ROWS SEED CSV)

.PHONY: alerts
alerts: $(TOOLS) ready ## break a real service so that each alert fires and clears; needs root and Prometheus: [ALERT=HeadwindSlow]
	@$(RUN) alerts -- $$ARG_ALERT

##@ Regenerate bundled data

.PHONY: seed
seed: EXAMPLE = make seed SOURCE=../flights
seed: need-SOURCE ready ## compute the bundled history: SOURCE=folder
	@$(HEADWIND) seed "$$ARG_SOURCE"

.PHONY: holidays
holidays: ready ## compute the bundled holidays
	@$(RUN) fit -- holidays

.PHONY: holiday-evidence
holiday-evidence: ready ## write the evidence for the effects of holidays: [SOURCE=folder of the public data]
	@$(RUN) fit -- holiday-evidence $${ARG_SOURCE:+"$$ARG_SOURCE"}

.PHONY: brand-evidence
brand-evidence: ready ## write the flights by brand from which brands are inferred, and test them: [SOURCE=folder of the public data]
	@$(RUN) fit -- brand-evidence $${ARG_SOURCE:+"$$ARG_SOURCE"}

.PHONY: airports
airports: ready ## write the bundled airports
	@$(RUN) fit -- airports

.PHONY: marks
marks: ready ## fit the points of the score and save them: [SOURCE=folder of flight files]
	@$(RUN) marks -- $${ARG_SOURCE:+"$$ARG_SOURCE"}

.PHONY: weather-risk
weather-risk: ready ## fit the effect of weather on delays and save it: [SOURCE=folder of the public data]
	@$(RUN) fit -- weather --write $${ARG_SOURCE:+"$$ARG_SOURCE"}

.PHONY: score-scales
score-scales: ready ## draw the distribution of scores for docs/features.md
	@$(RUN) fit -- scales --write

# `npm ci` deletes the installed packages first. A running service may use them, so an existing installation is
# updated in place instead.
INSTALL := npm $$([ -e $(INSTALLED) ] && echo install --no-save || echo ci) --loglevel=error

# The lockfile fixes the versions. package.json is no prerequisite, or every new script would cause an install.
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

# Checks the system packages on every start: the check is cheap.
.PHONY: ready
ready: $(INSTALLED)
	@node_modules/.bin/node jobs/cli/setup.ts --required

# Stops before any work when a value is missing.
need-%:
	@test -n "$$ARG_$*" || { echo '$* is missing. Example: $(EXAMPLE)' >&2; exit 2; }
