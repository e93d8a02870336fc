import type { Job } from 'bullmq';
import { failingChecks } from '../../pipelines/features/build.ts';
import { treeOfSource } from '../../pipelines/flights/form.ts';
import type { ExtractReport, MonthResult } from '../../pipelines/flights/types.ts';
import type { TrainReport } from '../../pipelines/model/train-step.ts';
import type { CheckResult } from '../../warehouse/build/reports.ts';
import type { ArchiveReport } from '../../warehouse/keyring/keyring.ts';
import type { MonthRef } from '../../warehouse/lake/versions.ts';
import type { IncidentKind, NewsKind } from '../../warehouse/live/incident-records.ts';

/** What a job says of how things are: that something is not well, or is well again. */
export type Signal = { key: string; kind: IncidentKind } & (
  | { isWell: true }
  | { isWell: false; text: string }
);

/** What is told and then over. */
export type ModelNews = { kind: NewsKind; text: string };

/** A job as far as it is told of. */
export type ToldJob = Pick<Job, 'name' | 'data'> & Partial<Pick<Job, 'id' | 'deferredFailure'>>;

/** Told of each job that ended for good. */
export type JobWatch = {
  done: (job: ToldJob, result: unknown) => void;
  failed: (job: ToldJob, error: Error) => void;
  /** Told of how things are that no job says. */
  signal: (signals: readonly Signal[]) => void;
  /** Waits for what is being told. */
  settled: () => Promise<void>;
};

/** What a night says of its training; absent where there was nothing new to learn from. */
type Trained = { training?: TrainReport | { problem: string } };

/** Digits of its sha256 that a file is known by. */
const HASH_LENGTH = 12;

/** The jobs that leave checks behind them, or fail by those of the last build. */
const CHECKED = new Set(['build-features', 'nightly', 'publish', 'rebuild']);

/** What a job is called, the same for each of its runs: months and files by themselves, however they were asked for, the rest by their name. */
export function titleOf({ name, data }: ToldJob): string {
  const { month, sha256 } = (data ?? {}) as { month?: unknown; sha256?: unknown };
  if (typeof month === 'string') return `${name} ${month}`;
  return typeof sha256 === 'string' ? `${name} ${sha256.slice(0, HASH_LENGTH)}` : name;
}

/** What a job that was done says; `checks` are those of the last build. */
export function signalsOfDone(job: ToldJob, result: unknown, checks: CheckResult[]): Signal[] {
  const own: Signal = { key: `job ${titleOf(job)}`, kind: 'job.failed', isWell: true };
  const checked = CHECKED.has(job.name) ? [checksSignal(checks)] : [];
  return [own, ...checked, ...refusalsOf(job, result), ...brokenKeysOf(job, result)];
}

/**
 * What a job that failed for good says: of a build or publish that its checks stopped, only that they did. One that waited for
 * another job, which failed, says nothing of its own.
 */
export function signalsOfFailed(job: ToldJob, error: Error, checks: CheckResult[]): Signal[] {
  if (job.deferredFailure) return [];
  const title = titleOf(job);
  if (CHECKED.has(job.name)) {
    const signal = checksSignal(checks);
    if (!signal.isWell) return [signal];
  }
  const text = `${title} failed: ${error.message}`;
  return [{ key: `job ${title}`, kind: 'job.failed', isWell: false, text }];
}

/** Which months of a file are refused, and which that were are not any more; a back-fill brings none that is refused. */
function refusalsOf({ name }: ToldJob, result: unknown): Signal[] {
  if (name === 'extract-month') {
    const { month, outcome } = result as MonthResult;
    return outcome === 'absent'
      ? []
      : [{ ...refusedMonth({ month, tree: 'flights' }), isWell: true }];
  }
  if (name !== 'extract-file') return [];
  const { months, source } = result as ExtractReport;
  const tree = treeOfSource(source);
  return months.map(({ month, outcome, why }): Signal => {
    const about = refusedMonth({ month, tree });
    if (outcome !== 'refused') return { ...about, isWell: true };
    const text = `${month} of ${source.name} is refused, what was there stays: ${why}`;
    return { ...about, isWell: false, text };
  });
}

/** Whether the archive found keys whose record makes no sense: calls with them fail. */
function brokenKeysOf({ name }: ToldJob, result: unknown): Signal[] {
  if (name !== 'archive-keys') return [];
  const about = { key: 'keys', kind: 'keys.broken' } as const;
  const { broken } = result as ArchiveReport;
  if (broken.length === 0) return [{ ...about, isWell: true }];
  const help = 'make keys-restore mends counts, make key-limit limits, make key-expiry ends';
  const text = `Calls with a key fail: ${broken.join('; ')}. ${help}`;
  return [{ ...about, isWell: false, text }];
}

/** Months of flights and of the delay-cause table lie beside each other: one says nothing of the other. */
function refusedMonth({ month, tree }: MonthRef) {
  const key = `refused ${month}${tree === 'levels' ? ' of the delay-cause table' : ''}`;
  return { key, kind: 'month.refused' } as const;
}

/** A model that a training released or refused. */
export function modelNews(job: ToldJob, result: unknown): ModelNews | undefined {
  const training =
    job.name === 'train' ? (result as TrainReport) : (result as Trained | undefined)?.training;
  if ((job.name !== 'train' && job.name !== 'nightly') || training === undefined) return undefined;
  if ('problem' in training) {
    return { kind: 'model.refused', text: `No model was trained: ${training.problem}` };
  }
  const { isReleased, why } = training;
  return { kind: isReleased ? 'model.released' : 'model.refused', text: why };
}

function checksSignal(checks: CheckResult[]): Signal {
  const failing = failingChecks(checks);
  const about = { key: 'checks', kind: 'checks.failed' } as const;
  if (failing.length === 0) return { ...about, isWell: true };
  const names = failing.map(({ check, failures }) => `${check} (${failures} rows)`).join(', ');
  return {
    ...about,
    isWell: false,
    text: `Nothing is published until these checks pass: ${names}`,
  };
}
