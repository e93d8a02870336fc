import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { BuildReport } from '../../../warehouse/build/reports.ts';
import { ledgerFiles, newestRuns } from '../../../warehouse/lake/ledger.ts';
import { listWeatherMonths } from '../../../warehouse/lake/weather-lake.ts';
import { readForecasts } from '../../../warehouse/live/forecasts.ts';
import { isAcknowledgeable, readIncidents } from '../../../warehouse/live/incidents.ts';
import { syncOpsRuns } from '../../../warehouse/live/ops-runs.ts';
import { writeOpsSummary, type OpsSummary } from '../../../warehouse/live/ops-summary.ts';
import { dataPaths, type DataPaths } from '../../../warehouse/paths.ts';
import { currentVersion } from '../../../warehouse/store/redis.ts';
import { collectStatus } from './collect.ts';
import { opsCells } from './ops-cells.ts';
import { opsRun, runDetail } from './ops-runs.ts';
import type { RedisStatus } from './types.ts';
import { verdictOf } from './verdict.ts';

/** Keeps the summary for the operators' pages up to date. */
export type SummaryWriter = {
  /** Requests a new summary soon, after a change. */
  changed: () => void;
  close: () => Promise<void>;
};

export type SummaryDeps = {
  dataDir: string;
  staleAfterDays: number | undefined;
  redis: Redis;
  log: Pick<Logger, 'warn'>;
  now?: () => Date;
};

const RUNS_KEPT = 300;
const BUILDS_KEPT = 60;
/**
 * Longest interval between summaries. Summaries without a change are needed, because data becomes stale without any
 * change.
 */
const MAX_WAIT_MS = 60_000;
const MIN_WAIT_MS = 1_000;
/** After a summary, waits this many times its duration, so that summaries take at most a twentieth of a core. */
const PAUSE_FACTOR = 20;

/** Writes the summary now, soon after each change and every minute, until `close`. */
export function openSummaryWriter(deps: SummaryDeps): SummaryWriter {
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Infinity;
  let earliest = 0;
  let isClosed = false;
  let writing = Promise.resolve();
  const write = async () => {
    const startedAt = performance.now();
    try {
      const summary = await collectOpsSummary(deps);
      if (await writeOpsSummary(deps.redis, summary)) {
        const { read } = ledgerFiles(dataPaths(deps.dataDir));
        const ids = summary.runs.map(({ id }) => id);
        await syncOpsRuns(deps.redis, ids, async (missing) => (await read(missing)).map(runDetail));
      }
    } catch (err) {
      deps.log.warn({ err }, 'summary for operators not written');
    }
    const durationMs = performance.now() - startedAt;
    earliest = performance.now() + Math.max(MIN_WAIT_MS, PAUSE_FACTOR * durationMs);
    writeAfter(MAX_WAIT_MS);
  };
  const writeAfter = (ms: number) => {
    const at = Math.max(performance.now() + ms, earliest);
    if (isClosed || at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    const wait = Math.max(0, at - performance.now());
    timer = setTimeout(() => {
      dueAt = Infinity;
      writing = writing.then(write);
    }, wait);
    timer.unref();
  };
  writeAfter(0);
  return {
    changed: () => writeAfter(0),
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await writing;
    },
  };
}

/** Collects the summary for the operators' pages from the files under DATA_DIR and from Redis. */
async function collectOpsSummary({
  dataDir,
  staleAfterDays,
  redis,
  now = () => new Date(),
}: Omit<SummaryDeps, 'log'>): Promise<OpsSummary> {
  const paths = dataPaths(dataDir);
  // Takes the time first: an incident that opens during the read is newer than this summary.
  const at = now();
  const incidents = await readIncidents(redis);
  const live = { ...(await liveStatus(redis)), incidents };
  const status = await collectStatus(paths, live, at, staleAfterDays);
  const { store, model, freshness } = status;
  return {
    at: status.at,
    host: hostname(),
    cells: opsCells(status.months, status.levels, await listWeatherMonths(paths.lakeDir)),
    ...(await createLedger(paths)),
    acknowledgeable: incidents.filter(isAcknowledgeable).length,
    verdict: verdictOf(status),
    store,
    model,
    freshness,
  };
}

/** Reads the part of the Redis status that the verdict needs. */
async function liveStatus(redis: Redis): Promise<Extract<RedisStatus, { state: 'up' }>> {
  const times = [...(await readForecasts(redis)).values()].map(({ fetchedAt }) => fetchedAt);
  const [oldest, newest] = [times.toSorted().at(0), times.toSorted().at(-1)];
  const storeVersion = await currentVersion(redis);
  return {
    state: 'up',
    ...(storeVersion !== undefined && { storeVersion }),
    ...(oldest !== undefined &&
      newest !== undefined && { forecasts: { airports: times.length, newest, oldest } }),
    queues: [],
    schedules: [],
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
