import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { openLiveScores } from '../../../api/server/live-scores.ts';
import { recordRun, type Ledger } from '../../../pipelines/ledger.ts';
import { freezeNight } from '../../../pipelines/record/freeze-night.ts';
import { writeFrozenForecasts } from '../../../warehouse/build/frozen-forecasts.ts';
import { scoreForecasts, type ScoredForecasts } from '../../../warehouse/build/score-forecasts.ts';
import { dateAt } from '../../../warehouse/ground/dates.ts';
import type { Retention } from '../../../warehouse/ground/retention.ts';
import { sum } from '../../../warehouse/ground/numbers.ts';
import { appendNight, type NightReport } from '../../../warehouse/lake/forecasts/append-night.ts';
import { listNights, nightUnit, readHead } from '../../../warehouse/lake/forecasts/nights.ts';
import type { LakeHome } from '../../../warehouse/lake/shared/lake-home.ts';
import {
  saveForecastRecord,
  type ForecastRecord,
} from '../../../warehouse/live/forecast-record.ts';
import { dataPaths, type DataPaths } from '../../../warehouse/paths.ts';
import { currentVersion } from '../../../warehouse/store/redis.ts';
import type { JobsConfig } from '../../config.ts';
import type { Maintenance, MaintenanceReport } from '../../queue/handlers.ts';
import { count, countOf } from '../tables.ts';

export type RecordDeps = {
  paths: Pick<DataPaths, 'lakeDir'>;
  dataDir: string;
  redis: Redis;
  redisUrl: string;
  home: Pick<LakeHome, 'withUnitLock' | 'refresh' | 'fetch'>;
  modelDeadlineMs: number;
  retention?: Retention | undefined;
  ledger: Pick<Ledger, 'record' | 'codeVersion' | 'now' | 'randomLetters'>;
  now: () => Date;
  log: Logger;
};

/** Creates the step for the job `record`. */
export function createRecordStep(
  config: JobsConfig,
  parts: Pick<RecordDeps, 'redis' | 'redisUrl' | 'home' | 'ledger' | 'log'>,
): Maintenance['record'] {
  const paths = dataPaths(config.dataDir);
  return () => recordForecasts({ ...config, ...parts, paths, now: () => new Date() });
}

/** Freezes tonight's forecasts, compares all forecasts with the actual flights, and publishes the result. */
export async function recordForecasts(deps: RecordDeps): Promise<MaintenanceReport> {
  const { ledger, paths } = deps;
  type Result = MaintenanceReport & { night?: NightReport };
  const result = await recordRun<Result>(
    'record',
    ledger,
    async () => {
      const night = await freezeTonight(deps);
      const scored = await publishRecord(deps);
      const frozen =
        night === undefined
          ? 'no forecasts frozen, because no store is published'
          : `${countOf(night.forecasts, 'forecast')} of ${night.night} ${night.isNew ? 'frozen' : 'were frozen before'}, night ${count(night.nights)} of the chain`;
      return { summary: `${frozen}; ${scoredText(scored)}`, ...(night && { night }) };
    },
    (report) => ({
      inputs: [{ name: paths.lakeDir }],
      ...(report?.night && { rowsOut: report.night.forecasts }),
      ...(report && { detail: report }),
    }),
  );
  return { summary: result.summary };
}

/**
 * Freezes the forecasts of the current UTC date, unless they are already frozen. Returns undefined if there is no
 * store.
 */
async function freezeTonight(deps: RecordDeps): Promise<NightReport | undefined> {
  const { paths, home, redis, now, ledger } = deps;
  if ((await currentVersion(redis)) === undefined) return undefined;
  await home.refresh();
  await home.fetch((await listNights(paths.lakeDir)).map(nightUnit), 'size');
  const night = dateAt(now());
  return appendNight({
    ...{ lakeDir: paths.lakeDir, home, night },
    freeze: async (file) => {
      const scores = await openLiveScores(deps);
      try {
        const store = scores.store();
        if (!store) throw new Error('no store is loaded');
        const frozenAt = now().toISOString();
        const forecasts = await freezeNight(night, { store, assess: scores.assessOperated, now });
        await writeFrozenForecasts(file, forecasts);
        const { version: storeVersion } = store.manifest;
        return { rows: forecasts.length, frozenAt, storeVersion, codeVersion: ledger.codeVersion };
      } finally {
        await scores.close();
      }
    },
  });
}

/** Compares all forecasts with the actual flights of the lake, and publishes the figures for the API. */
export async function publishRecord({
  paths: { lakeDir },
  home,
  redis,
  now,
}: Pick<RecordDeps, 'paths' | 'home' | 'redis' | 'now'>): Promise<ScoredForecasts> {
  await home.fetch(undefined, 'size');
  const scored = await scoreForecasts(lakeDir);
  const record: ForecastRecord = {
    scoredAt: now().toISOString(),
    chain: await chainOf(lakeDir),
    forecasts: scored.forecasts,
    firstFlightDate: scored.firstFlightDate,
    rows: scored.rows,
  };
  await saveForecastRecord(redis, record);
  return scored;
}

async function chainOf(lakeDir: string): Promise<ForecastRecord['chain']> {
  const { nights } = await readHead(lakeDir);
  const [first, last] = [nights[0], nights.at(-1)];
  if (!first || !last) return null;
  const { night: firstNight } = first;
  return { firstNight, lastNight: last.night, nights: nights.length, head: last.sha256 };
}

/** Describes how many forecasts were compared with actual flights. */
export function scoredText({ rows }: ScoredForecasts): string {
  const flights = (kind: 'live' | 'replayed') =>
    sum(rows.filter((row) => isTotal(row) && row.kind === kind).map((row) => row.flight_count));
  return `${count(flights('live'))} live and ${count(flights('replayed'))} replayed flight forecasts compared with actual flights`;
}

function isTotal({ outcome, month, provider, carrier }: ScoredForecasts['rows'][number]): boolean {
  return outcome === 'disrupted' && [month, provider, carrier].every((one) => one === 'all');
}
