import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import type { BuildReport } from '../../../warehouse/build/reports.ts';
import { ledgerFiles, newestRuns } from '../../../warehouse/lake/ledger.ts';
import { readUserSql } from '../../../warehouse/build/user-sql.ts';
import { listWeatherMonths } from '../../../warehouse/lake/weather-lake.ts';
import { isAcknowledgeable } from '../../../warehouse/live/incidents.ts';
import { syncOpsRuns } from '../../../warehouse/live/ops-runs.ts';
import { writeOpsSummary, type OpsSummary } from '../../../warehouse/live/ops-summary.ts';
import { writeLineage } from '../../../warehouse/live/lineage.ts';
import type { DataPaths } from '../../../warehouse/paths.ts';
import { buildLineage } from '../catalogue/lineage-graph.ts';
import { opsCells } from './ops-cells.ts';
import { opsRun, runDetail } from './ops-runs.ts';
import type { Status } from './types.ts';
import { verdictOf } from './verdict.ts';

const RUNS_KEPT = 300;
const BUILDS_KEPT = 60;

/** Writes the summary for the operators' pages and copies the newest runs, unless another machine serves the pages. */
export async function writeSummary(
  redis: Redis,
  status: Status,
  paths: DataPaths & { userSqlDir: string | undefined },
): Promise<void> {
  const summary = await toOpsSummary(status, paths);
  if (!(await writeOpsSummary(redis, summary))) return;
  const { read } = ledgerFiles(paths);
  const ids = summary.runs.map(({ id }) => id);
  await syncOpsRuns(redis, ids, async (missing) => (await read(missing)).map(runDetail));
  await writeLineage(redis, buildLineage(await readUserSql(paths.userSqlDir)));
}

/** Returns the summary from the status and the files under DATA_DIR. */
async function toOpsSummary(status: Status, paths: DataPaths): Promise<OpsSummary> {
  const { store, model, freshness, redis } = status;
  const verdict = verdictOf(status);
  return {
    at: status.at,
    host: hostname(),
    cells: opsCells(
      status.months,
      status.levels,
      await listWeatherMonths(paths.lakeDir),
      status.providers,
    ),
    ...(await createLedger(paths)),
    ...(redis.state === 'up' && redis.inbox && { inbox: redis.inbox }),
    ...(redis.state === 'up' && redis.watches && { watches: redis.watches }),
    acknowledgeable: verdict.problems.filter(isAcknowledgeable).length,
    verdict,
    store,
    model,
    freshness,
  };
}

async function createLedger(paths: DataPaths): Promise<Pick<OpsSummary, 'runs' | 'builds'>> {
  const { ids, read } = ledgerFiles(paths);
  const all = await ids();
  const files = { ids: async () => all, read };
  const builds = await newestRuns(files, ['build', 'rebuild'], BUILDS_KEPT);
  return {
    runs: (await read(all.slice(-RUNS_KEPT))).toReversed().map(opsRun),
    builds: builds.toReversed().map(({ finishedAt: at, outcome, detail }) => ({
      at,
      outcome,
      checks: (detail as BuildReport | undefined)?.checks ?? [],
    })),
  };
}
