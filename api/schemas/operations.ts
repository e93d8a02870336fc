import { z } from 'zod';
import { isCron, OFF } from '../../warehouse/ground/cron.ts';

/** Maximum length of a cron expression. Long lists of minutes and days fit. */
const MAX_PATTERN = 100;

/** Requests that operators can make at `/ops`. The form sends them, and jobs store them. */
export const opsAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('nightly') }),
  /** Hides the failed jobs and refused months that the page listed at the time `at`. Newer failures stay visible. */
  z.object({
    kind: z.literal('acknowledge'),
    at: z.iso.datetime({ error: 'The time of the list is missing. Load the page again.' }),
  }),
  z
    .object({
      kind: z.literal('backfill'),
      from: month('from'),
      to: month('to'),
      /**
       * Whether to load months again even if they have not changed. In this case, a new version of a month with far
       * fewer flights is also accepted.
       */
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
      /** A cron expression, or `off`. Only used if `change` is `pattern`. */
      pattern: z.string().trim().max(MAX_PATTERN, 'The pattern is too long.').optional(),
    })
    .refine(({ change, pattern }) => change !== 'pattern' || isPattern(pattern), {
      error: ({ input }) =>
        `"${(input as { pattern?: string }).pattern ?? ''}" is neither a cron expression, such as 30 2 * * *, nor off.`,
    }),
]);

export type OpsAction = z.infer<typeof opsAction>;

/** A change of a schedule: a new pattern, a pause, the end of a pause, or a reset to the settings. */
export type ScheduleChange = Omit<Extract<OpsAction, { kind: 'schedule' }>, 'kind'>;

/** Describes the action in a few words, for pages and the ledger. */
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
  /**
   * Time (ISO) at which the last attempt started. Before the first attempt, it is the time at which the job was
   * created.
   */
  since: string;
  attempts: number;
  progress?: string;
  /** Reason of the last failure. */
  why?: string;
  /** Host of the last worker that ran the job. */
  host?: string;
};

/** A job, with the error message of each failed attempt and the jobs that this job waits for. */
export type OpsJobState = {
  state: string;
  errors: string[];
  children: { queue: string; id: string }[];
};

/** A worker process: host, process id (0 if unknown), and ids of its running jobs. */
export type OpsWorker = { host: string; pid: number; does: string[] };

/** State of a queue, shown to operators. */
export type OpsQueue = {
  queue: 'extract' | 'warehouse' | 'live';
  workers: number;
  waiting: number;
  running: OpsJob[];
  retrying: OpsJob[];
  /** Newest failed jobs. `failedCount` also includes older failed jobs. */
  failed: OpsJob[];
  failedCount: number;
};

/** Current state of a schedule. */
export type OpsSchedule = {
  id: string;
  what: string;
  /** Cron expression, or `off`. */
  pattern: string;
  /** Time zone of the pattern. */
  tz: string;
  /** Time (ISO) of the next run; absent if the schedule is off, paused or not registered yet. */
  next?: string;
  isPaused: boolean;
  /** True if operators can neither pause nor change the schedule. */
  isFixed: boolean;
  /** Pattern from the settings of the service. */
  setting: string;
  /**
   * The operator who last changed the schedule, and the time (ISO). Absent if the schedule still follows the service's
   * settings.
   */
  changed?: { by: string; at: string };
  /** Result of the last run. */
  last?: { at: string; isOk: boolean; text?: string };
};

/** Functions for operators to use the queues. They fail immediately while Redis is unavailable. */
export type Operations = {
  readState: () => Promise<{ queues: OpsQueue[]; workers: OpsWorker[]; schedules: OpsSchedule[] }>;
  /** Returns a job; undefined if the queue no longer has the job. */
  readJob: (queue: string, id: string) => Promise<OpsJobState | undefined>;
  /** Enqueues an operator's request and returns the id of the request. */
  enqueue: (action: OpsAction, by: string) => Promise<string>;
  /** Returns the queue objects for the page that shows all queues. */
  boards: () => unknown[];
  close: () => Promise<void>;
};

/** Opens the queues on the first call. */
export type OpenOperations = () => Promise<Operations>;

function isPattern(text: string | undefined): boolean {
  return text !== undefined && (text === OFF || isCron(text));
}

function month(name: string) {
  return z
    .string({ error: `The month ${name} is missing.` })
    .regex(/^(19|20)\d{2}-(0[1-9]|1[0-2])$/, `The month ${name} must look like 2025-03.`);
}

/** Schema of a checkbox. Forms leave out checkboxes that are not checked. */
function checkbox() {
  return z
    .union([z.boolean(), z.string()])
    .optional()
    .transform((value) => value === true || value === 'on');
}
