import { AsyncLocalStorage } from 'node:async_hooks';
import type { Run, RunCourse, RunJob, RunLine, RunPart } from '../../warehouse/lake/ledger.ts';

/** Everything that an attempt at a job has reported so far. */
type Journal = {
  job: RunJob;
  marks: Mark[];
  /** Log lines since the last recorded run. */
  lines: RunLine[];
};

/** A progress report: the name of the item, and the time (ms since 1970). */
type Mark = { item: string; at: number };

/**
 * Limits for the progress reports, timed parts and log lines of a run. A run is a small file, and the newest runs are
 * copied to Redis.
 */
const MAX_MARKS = 5_000;
const MAX_PARTS = 60;
const MAX_LINES = 100;
const MAX_LINE_LENGTH = 400;

/** Name of the part after the last progress report. In a build, the checks run in this part. */
const REST = 'after the last report';

const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn' };

/** Fields that are removed from log lines, because every line has them, or because the run itself has them. */
const COMMON_FIELDS = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'queue', 'job', 'err']);

const journals = new AsyncLocalStorage<Journal>();

/** Runs `work` with a journal. Log lines and progress of `work` are added to this journal. */
export function withJournal<T>(job: RunJob, work: () => Promise<T>): Promise<T> {
  return journals.run({ job, marks: [], lines: [] }, work);
}

/** Returns the fields that every log line of a job has; no fields outside a job. */
export function jobFields(): { queue?: string; job?: string } {
  const job = journals.getStore()?.job;
  return job ? { queue: job.queue, job: job.id } : {};
}

/** Adds a log line, in pino's JSON, to the journal of the current job. Above the limit, drops the oldest lines. */
export function recordLine(json: string): void {
  const lines = journals.getStore()?.lines;
  if (!lines) return;
  lines.push(parseLine(json));
  if (lines.length > MAX_LINES) lines.shift();
}

/** Adds an item of the progress to the journal of the current job. */
export function recordProgress(item: string, at: number = Date.now()): void {
  const marks = journals.getStore()?.marks;
  if (marks && marks.length < MAX_MARKS) marks.push({ item, at });
}

/**
 * Returns the timed parts and the log lines of a run that has just ended. Removes these log lines from the journal,
 * because the job may have further runs. Each run contains only the lines since the previous run.
 */
export function courseOf({
  startedAt,
  finishedAt,
}: Pick<Run, 'startedAt' | 'finishedAt'>): RunCourse {
  const journal = journals.getStore();
  if (!journal) return {};
  const parts = partsOf(journal.marks, Date.parse(startedAt), Date.parse(finishedAt));
  const log = journal.lines.splice(0);
  return { job: journal.job, ...(parts.length > 0 && { parts }), ...(log.length > 0 && { log }) };
}

/**
 * Sums the time between progress reports by the name of the reported item. A report usually names the item that has
 * just ended, so the time before the report belongs to this item. A name with a colon (`waiting: …`) names an item that
 * has just begun, so the time after the report belongs to this item.
 */
function partsOf(marks: readonly Mark[], start: number, end: number): RunPart[] {
  const own = marks.filter(({ at }) => at >= start && at <= end);
  if (own.length === 0) return [];
  const parts = new Map<string, RunPart>();
  let [from, current]: [number, string | undefined] = [start, undefined];
  for (const { item, at } of [...own, { item: REST, at: end }]) {
    addTime(parts, current ?? nameOf(item), from, at);
    from = at;
    current = item.includes(':') ? nameOf(item) : undefined;
  }
  const shortest = [...parts.values()].toSorted((a, b) => a.ms - b.ms);
  const dropped = new Set(shortest.slice(0, Math.max(0, parts.size - MAX_PARTS)));
  return [...parts.values()].filter((part) => !dropped.has(part));
}

function addTime(parts: Map<string, RunPart>, name: string, from: number, until: number): void {
  const part = parts.get(name);
  if (part) part.ms += until - from;
  else parts.set(name, { name, startedAt: new Date(from).toISOString(), ms: until - from });
}

/**
 * Returns the name of the part to which a reported item belongs. All reports of downloads have the same part. All trees
 * that one training stage grows have the same part, too.
 */
function nameOf(item: string): string {
  return item.replace(/:.*$/, '').replace(/^downloaded .*$/, 'download');
}

function parseLine(json: string): RunLine {
  const line = JSON.parse(json) as { level: number; time: number; msg?: string; err?: unknown };
  const facts = Object.entries(line).filter(([name]) => !COMMON_FIELDS.has(name));
  const { message } = (line.err ?? {}) as { message?: string };
  const words = [
    line.msg,
    message,
    ...facts.map(
      ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
  ];
  const text = words.filter(Boolean).join(' · ');
  return {
    at: new Date(line.time).toISOString(),
    level: LEVELS[line.level] ?? 'error',
    text: text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)}…` : text,
  };
}
