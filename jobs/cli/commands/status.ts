import { soundManifest, surveyLake } from '../../../warehouse/lake/lake.ts';
import { ledgerFiles } from '../../../warehouse/lake/ledger.ts';
import { versionsOf } from '../../../warehouse/lake/versions.ts';
import { dataPaths, type DataPaths } from '../../../warehouse/paths.ts';
import { readSnapshot } from '../../../warehouse/snapshot.ts';
import { isMonth } from '../../../pipelines/flights/months.ts';
import { diskRoom } from '../../processes/disk-room.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { collectStatus } from '../status/collect.ts';
import { monthDetail, monthText, type MonthDetail } from '../status/month.ts';
import { monthStatuses } from '../status/months.ts';
import { lastExtracts } from '../status/recent-runs.ts';
import { statusText } from '../status/print.ts';
import { verdictOf } from '../status/verdict.ts';
import { refuseCopy } from '../../wiring/lake-home.ts';
import { lakeAtHand } from '../lake-at-hand.ts';
import { openObjects } from '../../../warehouse/objects/open.ts';
import type { Status } from '../status/types.ts';
import { redisStatus } from '../status/redis.ts';

export type StatusRequest = {
  /** `YYYY-MM`: this month alone. */
  month?: string;
  json: boolean;
};

const SAMPLES_PER_REASON = 3;

/** Prints where everything stands and returns how it is: 0 well, 1 failing, 2 only stale. Opens neither the warehouse nor anything a job may hold. */
export async function status(context: CommandContext, request: StatusRequest): Promise<number> {
  const paths = dataPaths(context.config.dataDir);
  const lake = await sharedLakeStatus(context);
  if (request.month !== undefined) {
    const detail = await readMonth(paths, request.month);
    context.out.write(request.json ? json(detail) : monthText(detail));
    return 0;
  }
  const { staleAfterDays } = context.config;
  const redis = await redisStatus(context);
  const room = await diskRoom(context.config.dataDir);
  const all = {
    ...(await collectStatus(paths, redis, context.now(), staleAfterDays)),
    ...(lake && { lake }),
    ...(room && { disk: { ...room, minFreeBytes: context.config.minFreeBytes } }),
  };
  const verdict = verdictOf(all);
  context.out.write(request.json ? json({ ...all, verdict }) : statusText(all, verdict));
  return verdict.code;
}

/** Brings what counts of a lake that is shared, or says why it cannot; what is here of it is shown then. */
async function sharedLakeStatus(context: CommandContext): Promise<Status['lake']> {
  if (!context.config.lake) {
    refuseCopy(dataPaths(context.config.dataDir));
    return undefined;
  }
  const { place } = openObjects(context.config.lake);
  try {
    await lakeAtHand(context);
    return { place };
  } catch (error) {
    return { place, problem: error instanceof Error ? error.message : String(error) };
  }
}

async function readMonth(paths: DataPaths, month: string): Promise<MonthDetail> {
  if (!isMonth(month)) {
    throw new CommandError(`MONTH="${month}" is not a month like 2025-03`);
  }
  const extracts = await lastExtracts(ledgerFiles(paths));
  const statuses = monthStatuses(
    await surveyLake(paths.lakeDir),
    await readSnapshot(paths),
    extracts,
  );
  const found = statuses.find((one) => one.month === month) ?? { month, state: 'missing' as const };
  const manifest = await soundManifest(paths.lakeDir, month);
  // DuckDB takes a moment to load, and only a single month needs it.
  const { quarantineFile, sampleRejects } = await import('../../../warehouse/lake/quarantine.ts');
  const versions = await versionsOf(paths.lakeDir, { month, tree: 'flights' }, manifest);
  const quarantine = await quarantineFile(paths.lakeDir, month, manifest);
  return {
    ...monthDetail(found, manifest, extracts),
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
