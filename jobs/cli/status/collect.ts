import { sum } from '../../../warehouse/ground/numbers.ts';
import { stat } from 'node:fs/promises';
import { type Run, ledgerFiles } from '../../../warehouse/lake/ledger.ts';
import type { BuildReport } from '../../../warehouse/build/reports.ts';
import { surveyLake } from '../../../warehouse/lake/lake.ts';
import { surveyLevels } from '../../../warehouse/lake/level-lake.ts';
import { historyState } from '../../../warehouse/store/history-state.ts';
import { levelStatus } from './levels.ts';
import type { DataPaths } from '../../../warehouse/paths.ts';
import { readLevelSnapshot, readSnapshot } from '../../../warehouse/snapshot.ts';
import { readFromDisk, versionsOnDisk } from '../../../warehouse/store/disk.ts';
import { sha256 } from '../../../warehouse/ground/hashes.ts';
import type { JobsConfig } from '../../config.ts';
import { OFF } from '../../../warehouse/ground/cron.ts';
import type { FreshnessRule } from '../../watch/data-problems.ts';
import { modelStatus } from './model.ts';
import { monthStatuses } from './months.ts';
import { providerStatuses } from './providers.ts';
import { readRecentRuns } from './recent-runs.ts';
import { lastRefusals } from './refusals.ts';
import type { CheckStatus, RedisStatus, RunStatus, Status, StoreStatus } from './types.ts';

/**
 * Collects the status from the files under DATA_DIR and from Redis. Does not open the warehouse, because a long build
 * may lock the warehouse. Instead reads a list of the warehouse's content, which the last job wrote when it ended.
 */
export async function collectStatus(
  paths: DataPaths,
  redis: RedisStatus,
  now: Date,
  { machine, freshnessRule }: Pick<Status, 'machine' | 'freshnessRule'>,
): Promise<Status> {
  const { newest, extracts, built, buildDone, buildBefore, publishDone, trained } =
    await readRecentRuns(ledgerFiles(paths));
  const [lake, loaded, levelLake, loadedLevels, store] = await Promise.all([
    surveyLake(paths.lakeDir),
    readSnapshot(paths),
    surveyLevels(paths.lakeDir),
    readLevelSnapshot(paths),
    storeStatus(paths.storeDir),
  ]);
  const providers = await providerStatuses(paths, extracts);
  const copied = await stat(paths.readFile).catch(() => undefined);
  const months = monthStatuses(lake, loaded, extracts);
  const build = buildDone?.detail as BuildReport | undefined;
  const levels = levelStatus(
    levelLake,
    loadedLevels,
    build?.conflicts ?? [],
    lastRefusals(extracts, 'levels'),
  );
  const loadedAt = [...loaded, ...loadedLevels]
    .map((month) => month.loadedAt)
    .toSorted()
    .at(-1);
  const lastMonth = months.findLast(({ state }) => state === 'loaded')?.month;
  const forecast = redis.state === 'up' ? redis.forecasts?.newest : undefined;
  const newestData = { flights: lastMonth, levels: levels.last, forecast };
  return {
    at: now.toISOString(),
    machine,
    freshnessRule,
    newest: newestData,
    months,
    levels,
    ...(providers.length > 0 && { providers }),
    runs: newest.toReversed().map(withoutDetail),
    ...(built && {
      build: {
        at: built.finishedAt,
        outcome: built.outcome,
        checks: checksOf(built, built.id === buildDone?.id ? buildBefore : buildDone),
      },
    }),
    store,
    model: await modelStatus(paths.modelsDir, store.modelVersion, trained),
    freshness: {
      ...(lastMonth !== undefined && { lastMonth }),
      ...(levels.last !== undefined && { lastLevelMonth: levels.last }),
      state: historyState(newestData, now, freshnessRule.hasDownloads),
      ...(loadedAt !== undefined && { load: new Date(loadedAt).toISOString() }),
      ...(buildDone && { build: buildDone.finishedAt }),
      ...(publishDone && { publish: publishDone.finishedAt }),
      ...(copied && { copy: copied.mtime.toISOString() }),
    },
    redis,
  };
}

/** Returns the limits for the age of data, from the settings. */
export function freshnessRuleOf({
  staleAfterDays,
  offline,
  schedule,
}: Pick<JobsConfig, 'staleAfterDays' | 'offline' | 'schedule'>): FreshnessRule {
  return { staleAfterDays, hasDownloads: !offline && schedule.months !== OFF };
}

async function storeStatus(storeDir: string): Promise<StoreStatus> {
  const versions = (await versionsOnDisk(storeDir)).toReversed();
  try {
    const files = await readFromDisk(storeDir);
    if (!files) return { months: [], kept: versions };
    const { version, builtAt, months, tables } = files.manifest;
    const { model, fallback } = files.manifest;
    const parts = [
      ...Object.values(tables),
      ...(model ? [model] : []),
      ...(fallback ? [fallback] : []),
    ];
    const damaged = parts.find((part) => sha256(files.files.get(part.file) ?? '') !== part.sha256);
    if (damaged) {
      return { months: [], kept: versions, problem: `${version}: ${damaged.file} is damaged` };
    }
    const bytes = sum(parts.map((part) => part.bytes));
    return {
      version,
      builtAt,
      months,
      bytes,
      ...(model && { modelVersion: model.version }),
      kept: versions,
    };
  } catch (error) {
    return {
      months: [],
      kept: versions,
      problem: error instanceof Error ? error.message : String(error),
    };
  }
}

/** Returns the check results of a build, each with the number of failing rows in the previous build. */
function checksOf(built: Run, before: Run | undefined): CheckStatus[] {
  const resultsOf = (run: Run | undefined) =>
    (run?.detail as BuildReport | undefined)?.checks ?? [];
  const earlier = new Map(resultsOf(before).map(({ check, failures }) => [check, failures]));
  return resultsOf(built).map((result) => {
    const failuresBefore = earlier.get(result.check);
    return { ...result, ...(failuresBefore !== undefined && { failuresBefore }) };
  });
}

function withoutDetail({ detail: _, ...run }: Run): RunStatus {
  return run;
}
