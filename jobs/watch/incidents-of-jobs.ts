import type { Job } from 'bullmq';
import { ChecksFailedError } from '../../pipelines/errors.ts';
import { treeOfSource } from '../../pipelines/flights/source-tree.ts';
import type { ExtractReport, MonthResult } from '../../pipelines/flights/types.ts';
import type { TrainReport } from '../../pipelines/model/train-step.ts';
import type { ArchiveReport } from '../../warehouse/keyring/keyring.ts';
import type { MonthRef } from '../../warehouse/lake/versions.ts';
import type { ConditionName, Problem } from '../../warehouse/live/conditions.ts';
import type { InboxFile } from '../../warehouse/live/inbox.ts';
import type { NewsKind } from '../../warehouse/live/incident-records.ts';
import { backfillSignal, isMonthOfBackfill } from './backfill-incidents.ts';

/** Reports that something is wrong, or is resolved. */
export type Signal = { key: string; kind: ConditionName } & (
  | { isResolved: true }
  | { isResolved: false; text: string; months?: string[] }
);

/** News about a model. Unlike an incident, it has no end. */
export type ModelNews = { kind: NewsKind; text: string };

/** The parts of a job that incidents use. */
export type WatchedJob = Pick<Job, 'name' | 'data'> & Partial<Pick<Job, 'id' | 'deferredFailure'>>;

/** Receives the jobs that succeeded or finally failed. */
export type JobWatch = {
  done: (job: WatchedJob, result: unknown) => void;
  failed: (job: WatchedJob, error: Error) => void;
  /** Receives all current problems. Ends the incidents of all other problems. */
  judged: (problems: readonly Problem[]) => void;
  /** Waits until all incidents are recorded and sending has ended. */
  waitUntilDone: () => Promise<void>;
};

/** The report of a nightly run; `training` is absent if there were no new months to train on. */
type NightlyResult = { training?: TrainReport | { problem: string } };

/** Hexadecimal digits of a file's sha256 in the title of a job. */
const HASH_LENGTH = 12;

/**
 * Returns the title of a job, which is equal for all runs of the job. The title is the name of the job, with the job's
 * month or file if there is one.
 */
export function titleOf({ name, data }: WatchedJob): string {
  const { month, sha256 } = (data ?? {}) as { month?: unknown; sha256?: unknown };
  if (typeof month === 'string') return `${name} ${month}`;
  return typeof sha256 === 'string' ? `${name} ${sha256.slice(0, HASH_LENGTH)}` : name;
}

/** Returns the signals of a job that succeeded. */
export function signalsOfDone(job: WatchedJob, result: unknown): Signal[] {
  const jobSignal: Signal = { key: `job ${titleOf(job)}`, kind: 'job.failed', isResolved: true };
  return [
    jobSignal,
    ...(job.name === 'backfill' ? [backfillSignal(job, result)] : []),
    ...refusalsOf(job, result),
    ...inboxSignals(job, result),
    ...brokenKeysOf(job, result),
  ];
}

/**
 * Returns the signals of a job that finally failed. Returns no signal if the failure is reported elsewhere: by the
 * condition `checks.failed` (a publish that checks stopped), by a failed preceding job, by the backfill, or by the
 * inbox.
 */
export function signalsOfFailed(job: WatchedJob, error: Error): Signal[] {
  if (job.deferredFailure || isMonthOfBackfill(job) || isOfInbox(job)) return [];
  if (error.cause instanceof ChecksFailedError) return [];
  const title = titleOf(job);
  const text = `${title} failed: ${error.message}`;
  return [{ key: `job ${title}`, kind: 'job.failed', isResolved: false, text }];
}

/** Reports refused months of a file, and resolves earlier refusals. A backfill never reports refused months. */
function refusalsOf(job: WatchedJob, result: unknown): Signal[] {
  const { name } = job;
  if (name === 'extract-month') {
    const { month, outcome } = result as MonthResult;
    return outcome === 'absent'
      ? []
      : [{ ...refusedMonth({ month, tree: 'flights' }), isResolved: true }];
  }
  if (name !== 'extract-file') return [];
  const { months, source } = result as ExtractReport;
  const tree = treeOfSource(source);
  return months.flatMap(({ month, outcome, why }): Signal[] => {
    const base = refusedMonth({ month, tree }, source.provider);
    if (outcome !== 'refused') return [{ ...base, isResolved: true }];
    // Reports nothing here: the job of the inbox reports all refused months of its file at once.
    if (isOfInbox(job)) return [];
    const text = `${month} of ${source.name} was refused, the month in the lake is unchanged: ${why}`;
    return [{ ...base, isResolved: false, text }];
  });
}

/** Whether the job extracts a file of the inbox. */
function isOfInbox({ name, data }: WatchedJob): boolean {
  return name === 'extract-file' && (data as { inbox?: string } | undefined)?.inbox !== undefined;
}

/** Reports a refused file of the inbox. The incident ends when a file of the same name is loaded. */
function inboxSignals(job: WatchedJob, result: unknown): Signal[] {
  if (job.name !== 'ingest-inbox') return [];
  const file = result as InboxFile | { outcome: 'changed' };
  if (file.outcome === 'changed') return [];
  const base = { key: `inbox ${file.name}`, kind: 'file.refused' } as const;
  if (file.outcome === 'done') return [{ ...base, isResolved: true }];
  const text = `${file.name} of the inbox was refused: ${file.why.replaceAll('\n', '; ')}`;
  return [{ ...base, isResolved: false, text }];
}

/** Reports keys whose record is invalid, because calls with these keys fail. */
function brokenKeysOf({ name }: WatchedJob, result: unknown): Signal[] {
  if (name !== 'archive-keys') return [];
  const base = { key: 'keys', kind: 'keys.broken' } as const;
  const { broken } = result as ArchiveReport;
  if (broken.length === 0) return [{ ...base, isResolved: true }];
  const help =
    'make keys-restore repairs counts, make key-limit repairs limits, make key-expiry repairs expiry dates';
  const text = `Calls with these keys fail: ${broken.join('; ')}. ${help}`;
  return [{ ...base, isResolved: false, text }];
}

/**
 * Returns the key and kind of the incident for a refused month. Months of flights, months of the delay-cause table and
 * months of other providers have separate incidents.
 */
function refusedMonth({ month, tree }: MonthRef, provider?: string) {
  const owner = provider ?? (tree === 'levels' ? 'the delay-cause table' : undefined);
  const key = `refused ${month}${owner === undefined ? '' : ` of ${owner}`}`;
  return { key, kind: 'month.refused' } as const;
}

/** Returns news if a training released or refused a model, or failed. */
export function modelNews(job: WatchedJob, result: unknown): ModelNews | undefined {
  const training =
    job.name === 'train'
      ? (result as TrainReport)
      : (result as NightlyResult | undefined)?.training;
  if ((job.name !== 'train' && job.name !== 'nightly') || training === undefined) return undefined;
  if ('problem' in training) {
    return { kind: 'model.refused', text: `No model was trained: ${training.problem}` };
  }
  const { isReleased, why } = training;
  return { kind: isReleased ? 'model.released' : 'model.refused', text: why };
}
