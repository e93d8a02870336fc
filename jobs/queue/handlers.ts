import { DelayedError, UnrecoverableError } from 'bullmq';
import type { Job } from 'bullmq';
import type { Logger } from 'pino';
import type { MonthRequest } from '../../pipelines/flights/types.ts';
import type { RestoreRequest } from '../../pipelines/flights/undo.ts';
import type { TrainRequest } from '../../pipelines/model/train-step.ts';
import type { PipelineSteps } from '../../pipelines/types.ts';
import type { WeatherMonthRequest } from '../../pipelines/weather/extract-month.ts';
import type { MonthRef } from '../../warehouse/lake/versions.ts';
import type { Progress } from '../../warehouse/progress.ts';
import type { Keyring } from '../../warehouse/keyring/keyring.ts';
import { loadMonth, loadWeatherMonth } from './handlers/load-month.ts';
import { loadMonths } from './handlers/load-months.ts';
import { recordFailure, type Ledger } from '../../pipelines/ledger.ts';
import { titleOf } from '../watch/incidents-of-jobs.ts';
import { archiveKeys, logBroken } from './archive-keys.ts';
import { handleAsked, type Act } from './handlers/asked.ts';
import { lookForMonths, type AskForMonths } from './handlers/look-for-months.ts';
import { nightly } from './handlers/nightly.ts';
import { runStep } from './handlers/run-step.ts';
import { sumUpBackfill } from './handlers/sum-up-backfill.ts';
import type { ExtractFileData, Queues } from './queues.ts';

/** Where what came out is fetched from, and under which lock it is asked for. */
export type MonthPlaces = {
  flights: MonthRequest['source'];
  weather: WeatherMonthRequest['source'];
  lockFile: string;
};

export type HandlerDeps = {
  steps: PipelineSteps;
  keyring: Keyring;
  /** Absent where nothing is looked for. */
  places?: MonthPlaces;
  /** Where a job that fails is recorded, unless its step is; absent: nowhere. */
  ledger?: Ledger;
  /** The queues, for jobs that look at others or request them; the worker has them. */
  queues?: Pick<Queues, 'queue'>;
  /** How months are asked for; the worker has it. */
  ask?: AskForMonths;
  /** How what operators ask for is asked for; the worker has it. */
  act?: Act;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
};

type Handler = (job: Job, deps: HandlerDeps) => Promise<unknown>;

/** What is done for a job, by its name: payload in, one step of the pipeline, its report out. */
const HANDLERS: Record<string, Handler> = {
  'extract-file': step(({ extractFile }, progress, { sha256: _, ...data }: ExtractFileData) =>
    extractFile(data, progress),
  ),
  'extract-month': step(({ extractMonth }, progress, data: MonthRequest) =>
    extractMonth(data, progress),
  ),
  'extract-weather-month': step(({ extractWeatherMonth }, progress, data: WeatherMonthRequest) =>
    extractWeatherMonth(data, progress),
  ),
  'look-for-months': async (job, { steps, places, ask }) => {
    if (!places || !ask) throw new UnrecoverableError('this worker looks for no months');
    return lookForMonths(job, steps, ask, places);
  },
  asked: async (job, { act, ledger }) => {
    if (!act) throw new UnrecoverableError('this worker takes no requests of operators');
    return handleAsked(job, act, ledger);
  },
  'load-months': (job, { steps }) => loadMonths(job, steps),
  'load-month': (job, { steps }) => loadMonth(job, steps),
  'load-weather-month': (job, { steps }) => loadWeatherMonth(job, steps),
  'restore-month': step(({ restoreMonth }, progress, data: RestoreRequest) =>
    restoreMonth(data, progress),
  ),
  'drop-month': step(({ dropMonth }, progress, data: MonthRef) => dropMonth(data, progress)),
  backfill: async (job, { queues }) => {
    if (!queues) throw new UnrecoverableError('this worker knows no queues');
    return sumUpBackfill(job, queues);
  },
  'build-features': step(({ buildFeatures }, progress) => buildFeatures(progress)),
  train: step(({ train }, progress, data: TrainRequest) => train(data, progress)),
  publish: step(({ publishStore }, progress) => publishStore(progress)),
  rebuild: step(({ rebuildWarehouse }, progress) => rebuildWarehouse(progress)),
  nightly: (job, { steps, log }) => nightly(job, steps, log),
  'refresh-weather': step(({ refreshWeather }, progress) => refreshWeather(progress)),
  'refresh-news': step(({ refreshNews }, progress) => refreshNews(progress)),
  'refresh-nas': step(({ refreshNas }) => refreshNas()),
  'archive-keys': (_job, deps) => archiveKeys(deps),
  'usage-rollover': async (_job, { keyring, log }) => logBroken(await keyring.rollOver(), log),
};

/** Every job there is. */
export const JOB_NAMES: readonly string[] = Object.keys(HANDLERS);

/** Does what the job asks for. What no second try can help ends it at once, as an `UnrecoverableError`. */
export async function handle(job: Job, deps: HandlerDeps): Promise<unknown> {
  const handler = HANDLERS[job.name];
  if (!handler) throw new UnrecoverableError(`no handler for ${job.name}`);
  const startedAt = new Date();
  try {
    return await handler(job, deps);
  } catch (error) {
    const facts = { name: job.name, title: titleOf(job), startedAt };
    // A job that is put off has not failed.
    if (deps.ledger && error instanceof Error && !(error instanceof DelayedError)) {
      // A disk that is full must not hide why the job failed.
      await recordFailure(deps.ledger, facts, error).catch(() => undefined);
    }
    throw error;
  }
}

function step<Data>(
  work: (steps: PipelineSteps, progress: Progress, data: Data) => Promise<unknown>,
): Handler {
  return (job, { steps }) => runStep(job, (progress) => work(steps, progress, job.data as Data));
}
