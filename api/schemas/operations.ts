import { z } from 'zod';
import { isCron, OFF } from '../../warehouse/ground/cron.ts';

/** Longest cron expression; lists of minutes and days fit. */
const MAX_PATTERN = 100;

/** Requests an operator can make at `/ops`, as sent by the form and stored in the job. */
export const opsAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('nightly') }),
  /** Clears the failed jobs and refused months that the page listed at the time `at`. Newer failures stay. */
  z.object({
    kind: z.literal('acknowledge'),
    at: z.iso.datetime({ error: 'The time of the list is missing.' }),
  }),
  z
    .object({
      kind: z.literal('backfill'),
      from: month('from'),
      to: month('to'),
      /** Whether to load unchanged months too, and to replace a month even if the new version has far fewer flights. */
      force: checkbox(),
      /** Whether to build and publish after all months are done. */
      publish: checkbox(),
    })
    .refine(({ from, to }) => from <= to, 'The first month is after the last month.'),
  z.object({
    kind: z.literal('retry'),
    queue: z.enum(['extract', 'warehouse', 'live'], { error: 'This queue does not exist.' }),
    id: z.string().regex(/^[\w:.-]{1,200}$/, 'This is not a job id.'),
  }),
  z
    .object({
      kind: z.literal('schedule'),
      id: z.string().regex(/^[a-z-]{1,40}$/, 'This is not a schedule.'),
      change: z.enum(['pattern', 'pause', 'resume', 'reset'], {
        error: 'A schedule can get a new pattern, be paused, be resumed, or be reset.',
      }),
      /** A cron expression, or `off`; only for the change `pattern`. */
      pattern: z.string().trim().max(MAX_PATTERN, 'The pattern is too long.').optional(),
    })
    .refine(({ change, pattern }) => change !== 'pattern' || isPattern(pattern), {
      error: ({ input }) =>
        `"${(input as { pattern?: string }).pattern ?? ''}" is neither a cron expression, such as 30 2 * * *, nor off.`,
    }),
]);

export type OpsAction = z.infer<typeof opsAction>;

/** A change of a schedule: a new pattern, a pause, the end of a pause, or the return to the settings. */
export type ScheduleChange = Omit<Extract<OpsAction, { kind: 'schedule' }>, 'kind'>;

/** Formats the action in a few words, for pages and the ledger. */
export function actionText(action: OpsAction): string {
  if (action.kind === 'nightly' || action.kind === 'acknowledge') return action.kind;
  if (action.kind === 'retry') return `retry ${action.id}`;
  if (action.kind === 'schedule') return `schedule ${action.id}: ${scheduleChangeText(action)}`;
  const { from, to, force, publish } = action;
  const months = from === to ? from : `${from} to ${to}`;
  const options = [...(force ? ['force'] : []), ...(publish ? ['publish'] : [])];
  return ['backfill', months, ...options].join(' ');
}

function scheduleChangeText({ change, pattern }: ScheduleChange): string {
  return change === 'pattern' ? `pattern ${pattern}` : change;
}

/** A job that is running, waiting for a retry, or failed. */
export type OpsJob = {
  id: string;
  name: string;
  /** Start of the last attempt, or creation of the job; ISO. */
  since: string;
  attempts: number;
  progress?: string;
  /** Reason of the last failure. */
  why?: string;
  /** Host of the worker that runs the job or ran the job last. */
  host?: string;
};

/** A job in a queue, with the message of each failed attempt and the jobs that it waits for. */
export type OpsJobState = {
  state: string;
  errors: string[];
  children: { queue: string; id: string }[];
};

/** A worker process: its host, its process id (0 if unknown), and the ids of its running jobs. */
export type OpsWorker = { host: string; pid: number; does: string[] };

/** State of a queue, for operators. */
export type OpsQueue = {
  queue: 'extract' | 'warehouse' | 'live';
  workers: number;
  waiting: number;
  running: OpsJob[];
  retrying: OpsJob[];
  /** The newest failed jobs; `failedCount` is the number of all failed jobs. */
  failed: OpsJob[];
  failedCount: number;
};

/** A schedule as it runs now. */
export type OpsSchedule = {
  id: string;
  what: string;
  /** Cron expression, or `off`. */
  pattern: string;
  /** Time zone of the pattern. */
  tz: string;
  /** Next run (ISO); absent if the schedule is off or paused, or was never registered. */
  next?: string;
  isPaused: boolean;
  /** Whether the schedule can be neither paused nor changed. */
  isFixed: boolean;
  /** The pattern in the settings of the service. */
  setting: string;
  /** The operator who changed the schedule last, and when (ISO); absent if it runs as in the settings. */
  changed?: { by: string; at: string };
  /** How the last run ended. */
  last?: { at: string; isOk: boolean; text?: string };
};

/** Operators' access to the queues. Calls fail at once if Redis is unavailable. */
export type Operations = {
  readState: () => Promise<{ queues: OpsQueue[]; workers: OpsWorker[]; schedules: OpsSchedule[] }>;
  /** Reads a job; undefined if the queue does not have it. */
  readJob: (queue: string, id: string) => Promise<OpsJobState | undefined>;
  /** Enqueues the action on behalf of a person and returns the request's id. */
  enqueue: (action: OpsAction, by: string) => Promise<string>;
  /** Returns the queues, for a page that shows all queues. */
  boards: () => unknown[];
  close: () => Promise<void>;
};

/** Opens the queues on first use. */
export type OpenOperations = () => Promise<Operations>;

function isPattern(text: string | undefined): boolean {
  return text !== undefined && (text === OFF || isCron(text));
}

function month(name: string) {
  return z
    .string({ error: `The month ${name} is missing.` })
    .regex(/^(19|20)\d{2}-(0[1-9]|1[0-2])$/, `The month ${name} must look like 2025-03.`);
}

/** Schema of a checkbox. A form omits unchecked boxes. */
function checkbox() {
  return z
    .union([z.boolean(), z.string()])
    .optional()
    .transform((value) => value === true || value === 'on');
}
