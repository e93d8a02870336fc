import { DelayedError, UnrecoverableError } from 'bullmq';
import type { Job } from 'bullmq';
import type { Logger } from 'pino';
import type { MonthRequest } from '../../pipelines/flights/types.ts';
import type { RestoreRequest } from '../../pipelines/flights/undo.ts';
import type { TrainRequest } from '../../pipelines/model/train-step.ts';
import { SEARCHED_PROVIDERS } from '../../pipelines/providers/index.ts';
import type { PipelineSteps } from '../../pipelines/types.ts';
import type { WeatherMonthRequest } from '../../pipelines/weather/extract-month.ts';
import type { MonthRef } from '../../warehouse/lake/versions.ts';
import type { Progress } from '../../warehouse/progress.ts';
import type { Keyring } from '../../warehouse/keyring/keyring.ts';
import { ingestInbox, type IngestInboxDeps } from './handlers/ingest-inbox.ts';
import { loadMonth, loadWeatherMonth } from './handlers/load-month.ts';
import { loadMonths } from './handlers/load-months.ts';
import { recordFailure, type Ledger } from '../../pipelines/ledger.ts';
import { titleOf } from '../watch/incidents-of-jobs.ts';
import { archiveKeys, logBrokenKeys } from './archive-keys.ts';
import { handleOperatorRequest, type ExecuteOperatorRequest } from './handlers/operator-request.ts';
import { searchMonths, type RequestMonths } from './handlers/search-months.ts';
import { searchProvider } from './handlers/search-provider.ts';
import { nightly } from './handlers/nightly.ts';
import { runStep, toJobError } from './handlers/run-step.ts';
import { sumUpBackfill } from './handlers/sum-up-backfill.ts';
import type { ExtractFileData } from './queues.ts';
import type { RequestQueues } from './requests.ts';
import { searchJob } from './schedules.ts';

/** Sources of newly published months. A process locks `lockFile` while it requests these months. */
export type MonthSources = {
  flights: MonthRequest['source'];
  weather: WeatherMonthRequest['source'];
  lockFile: string;
};

/** The result of a maintenance step; the schedule shows `summary`. */
export type MaintenanceReport = { summary: string };

/**
 * Steps that keep the data safe, or write forecasts. Each step records its run in the ledger. If a step finds damage,
 * it throws a final error.
 */
export type Maintenance = Record<
  'verify' | 'backup' | 'drill' | 'record' | 'snapshot',
  (progress: Progress) => Promise<MaintenanceReport>
>;

export type HandlerDeps = {
  steps: PipelineSteps;
  /** If absent, this worker runs no maintenance. */
  maintenance?: Maintenance;
  keyring: Keyring;
  /** If absent, this worker does not search for months. */
  monthSources?: MonthSources;
  /** Records a failed job if the job's step records nothing. If absent, nothing is recorded. */
  ledger?: Ledger;
  /** Queues for jobs that read or request other jobs; set by the worker. */
  queues?: RequestQueues;
  /** The Redis that stores the outcome of each file of the inbox. If absent, nothing is stored. */
  redis?: IngestInboxDeps['redis'];
  /** Set by the worker. */
  requestMonths?: RequestMonths;
  /** Set by the worker. */
  executeOperatorRequest?: ExecuteOperatorRequest;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
};

type Handler = (job: Job, deps: HandlerDeps) => Promise<unknown>;

/** Handlers by job name. Most call one step of the pipeline with the job's data and return its report. */
const HANDLERS: Record<string, Handler> = {
  'extract-file': step(({ extractFile }, progress, data: ExtractFileData) => {
    const { sha256: _sha256, inbox: _inbox, ...request } = data;
    return extractFile(request, progress);
  }),
  'ingest-inbox': async (job, { queues, redis }) => {
    if (!queues) throw new UnrecoverableError('this worker has no access to the queues');
    return ingestInbox(job, { queues, redis });
  },
  'extract-month': step(({ extractMonth }, progress, data: MonthRequest) =>
    extractMonth(data, progress),
  ),
  'extract-weather-month': step(({ extractWeatherMonth }, progress, data: WeatherMonthRequest) =>
    extractWeatherMonth(data, progress),
  ),
  'look-for-months': async (job, { steps, monthSources, requestMonths }) => {
    if (!monthSources || !requestMonths) {
      throw new UnrecoverableError('this worker cannot search for new months');
    }
    return searchMonths(job, steps, requestMonths, monthSources);
  },
  ...Object.fromEntries(SEARCHED_PROVIDERS.map(({ name }) => [searchJob(name), searchOf(name)])),
  request: async (job, { executeOperatorRequest, ledger }) => {
    if (!executeOperatorRequest) {
      throw new UnrecoverableError('this worker does not execute operators’ requests');
    }
    return handleOperatorRequest(job, executeOperatorRequest, ledger);
  },
  'load-months': (job, { steps }) => loadMonths(job, steps),
  'load-month': (job, { steps }) => loadMonth(job, steps),
  'load-weather-month': (job, { steps }) => loadWeatherMonth(job, steps),
  'restore-month': step(({ restoreMonth }, progress, data: RestoreRequest) =>
    restoreMonth(data, progress),
  ),
  'drop-month': step(({ dropMonth }, progress, data: MonthRef) => dropMonth(data, progress)),
  backfill: async (job, { queues, ledger }) => {
    if (!queues) throw new UnrecoverableError('this worker has no access to the queues');
    return sumUpBackfill(job, queues, ledger);
  },
  'build-features': step(({ buildFeatures }, progress) => buildFeatures(progress)),
  train: step(({ train }, progress, data: TrainRequest) => train(data, progress)),
  publish: step(({ publishStore }, progress) => publishStore(progress)),
  rebuild: step(({ rebuildWarehouse }, progress) => rebuildWarehouse(progress)),
  nightly: (job, { steps, log }) => nightly(job, steps, log),
  'refresh-weather': step(({ refreshWeather }, progress) => refreshWeather(progress)),
  'refresh-news': step(({ refreshNews }, progress) => refreshNews(progress)),
  'refresh-nas': step(({ refreshNas }) => refreshNas()),
  verify: maintain('verify'),
  backup: maintain('backup'),
  'restore-drill': maintain('drill'),
  record: maintain('record'),
  snapshot: maintain('snapshot'),
  'archive-keys': (_job, deps) => archiveKeys(deps),
  'usage-rollover': async (_job, { keyring, log }) => logBrokenKeys(await keyring.rollOver(), log),
};

/** The names of all jobs. */
export const JOB_NAMES: readonly string[] = Object.keys(HANDLERS);

/**
 * Runs the handler of a job and records its failure. Final errors become an `UnrecoverableError`, which ends the job
 * at once.
 */
export async function handleJob(job: Job, deps: HandlerDeps): Promise<unknown> {
  const handler = HANDLERS[job.name];
  if (!handler) throw new UnrecoverableError(`no handler for ${job.name}`);
  const startedAt = new Date();
  try {
    return await handler(job, deps);
  } catch (error) {
    const facts = { name: job.name, title: titleOf(job), startedAt };
    // A delayed job has not failed.
    if (deps.ledger && error instanceof Error && !(error instanceof DelayedError)) {
      // If the ledger cannot be written, for example on a full disk, the job's own error must still be reported.
      await recordFailure(deps.ledger, facts, error).catch(() => undefined);
    }
    throw toJobError(error);
  }
}

function searchOf(provider: string): Handler {
  return async (job, { steps, queues }) => {
    if (!queues) throw new UnrecoverableError('this worker has no access to the queues');
    return searchProvider(job, provider, { steps, queues });
  };
}

function maintain(name: keyof Maintenance): Handler {
  return (job, { maintenance }) => {
    if (!maintenance) throw new UnrecoverableError('this worker runs no maintenance');
    return runStep(job, (progress) => maintenance[name](progress));
  };
}

function step<Data>(
  work: (steps: PipelineSteps, progress: Progress, data: Data) => Promise<unknown>,
): Handler {
  return (job, { steps }) => runStep(job, (progress) => work(steps, progress, job.data as Data));
}
