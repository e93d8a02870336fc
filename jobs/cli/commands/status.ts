import { readValidManifest, surveyLake } from '../../../warehouse/lake/lake.ts';
import { machineName } from '../../../warehouse/live/health-reports.ts';
import { ledgerFiles } from '../../../warehouse/lake/ledger.ts';
import { listVersions } from '../../../warehouse/lake/versions.ts';
import {
  dataPaths,
  HOME_PROVIDER,
  providerPaths,
  type DataPaths,
} from '../../../warehouse/paths.ts';
import { readSnapshot } from '../../../warehouse/snapshot.ts';
import { isMonth } from '../../../pipelines/flights/months.ts';
import { readDiskSpace } from '../../processes/disk-space.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { collectStatus, freshnessRuleOf } from '../status/collect.ts';
import { monthDetail, monthText, type MonthDetail } from '../status/month.ts';
import { statusOfMonth } from '../status/months.ts';
import { readLastExtracts } from '../status/recent-runs.ts';
import { statusText } from '../status/print.ts';
import { verdictOf } from '../status/verdict.ts';
import { refuseCopy } from '../../wiring/lake-home.ts';
import { checkProvider } from '../undo-targets.ts';
import { refreshLake } from '../lake-refresh.ts';
import { openObjects } from '../../../warehouse/objects/open.ts';
import type { Status } from '../status/types.ts';
import { readRedisStatus } from '../status/redis.ts';

export type StatusRequest = {
  /** Shows only this month (`YYYY-MM`). For a whole year's counts from another provider, this is the year (`YYYY`). */
  month?: string;
  provider?: string;
  json: boolean;
};

const SAMPLES_PER_REASON = 3;

/**
 * Prints the status of the service. Returns 0 if all is well, 1 if something is failing, 2 if something is degraded.
 * Never waits for a job, because this command does not open the warehouse or other files that jobs lock.
 */
export async function status(context: CommandContext, request: StatusRequest): Promise<number> {
  const paths = dataPaths(context.config.dataDir);
  const lake = await sharedLakeStatus(context);
  if (request.month !== undefined) {
    const detail = await readMonth(paths, request.month, checkProvider(request.provider));
    context.out.write(request.json ? json(detail) : monthText(detail));
    return 0;
  }
  const all = await collectAll(context, lake);
  const verdict = verdictOf(all);
  context.out.write(request.json ? json({ ...all, verdict }) : statusText(all, verdict));
  return verdict.code;
}

/** Collects the whole status; `lake` is the state of a shared lake. */
export async function collectAll(context: CommandContext, lake?: Status['lake']): Promise<Status> {
  const { dataDir, minFreeBytes } = context.config;
  const rules = {
    machine: machineName(dataDir),
    freshnessRule: freshnessRuleOf(context.config),
  };
  const redis = await readRedisStatus(context);
  const disk = await readDiskSpace(dataDir);
  return {
    ...(await collectStatus(dataPaths(dataDir), redis, context.now(), rules)),
    ...(lake && { lake }),
    ...(disk && { disk: { ...disk, minFreeBytes } }),
  };
}

/**
 * Refreshes the copy of a shared lake. If the refresh fails, returns the problem, and the status shows the older copy.
 */
async function sharedLakeStatus(context: CommandContext): Promise<Status['lake']> {
  if (!context.config.lake) {
    refuseCopy(dataPaths(context.config.dataDir));
    return undefined;
  }
  const { place } = openObjects(context.config.lake);
  try {
    await refreshLake(context);
    return { place };
  } catch (error) {
    return { place, problem: error instanceof Error ? error.message : String(error) };
  }
}

async function readMonth(
  home: DataPaths,
  text: string,
  provider: string | undefined,
): Promise<MonthDetail> {
  const isYear = provider !== undefined && /^\d{4}$/.test(text);
  const month = isYear ? `${text}-12` : text;
  if (!isMonth(month)) {
    throw new CommandError(`MONTH="${text}" is not a month such as 2025-03`);
  }
  const paths = providerPaths(home, provider ?? HOME_PROVIDER);
  const extracts = await readLastExtracts(ledgerFiles(paths));
  const survey = await surveyLake(paths.lakeDir);
  const loaded = await readSnapshot(paths);
  const monthStatus = statusOfMonth(survey, loaded, extracts, { month, provider });
  const manifest = await readValidManifest(paths.lakeDir, month);
  if (isYear && manifest && manifest.periodMonths !== 12) {
    throw new CommandError(
      `${provider} has no counts for the whole year ${text}. To see December ${text}, use MONTH=${month}`,
    );
  }
  // Loads DuckDB only here, because loading takes a moment and only the status of a single month needs DuckDB.
  const { quarantineFile, sampleRejects } = await import('../../../warehouse/lake/quarantine.ts');
  const versions = await listVersions(paths.lakeDir, { month, tree: 'flights' }, manifest);
  const quarantine = await quarantineFile(paths.lakeDir, month, manifest);
  return {
    ...monthDetail(monthStatus, manifest, extracts),
    ...(quarantine !== undefined && { quarantine }),
    versions: versions.map(({ id, manifest: { source, rows } }) => ({
      id,
      source: source.name,
      rows: rows.loaded,
    })),
    samples: quarantine === undefined ? [] : await sampleRejects(quarantine, SAMPLES_PER_REASON),
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
