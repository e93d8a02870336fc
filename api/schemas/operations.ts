import { z } from 'zod';

/** What operators may ask for at `/ops`, as the form has it and as the job carries it. */
export const opsAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('nightly') }),
  /** Take off the failed jobs and refused months that were told at that moment; what came since nobody has seen. */
  z.object({
    kind: z.literal('acknowledge'),
    at: z.iso.datetime({ error: 'When it was told is missing.' }),
  }),
  z
    .object({
      kind: z.literal('backfill'),
      from: month('from'),
      to: month('to'),
      /** Do months again that are unchanged, and let them replace better ones. */
      force: checkbox(),
      /** Build and publish when all have ended. */
      publish: checkbox(),
    })
    .refine(({ from, to }) => from <= to, 'The first month comes after the last.'),
  z.object({
    kind: z.literal('retry'),
    queue: z.enum(['extract', 'warehouse', 'live'], { error: 'There is no such queue.' }),
    id: z.string().regex(/^[\w:.-]{1,200}$/, 'This is no job.'),
  }),
]);

export type OpsAction = z.infer<typeof opsAction>;

/** The action in a few words, for pages and the ledger. */
export function actionText(action: OpsAction): string {
  if (action.kind === 'nightly' || action.kind === 'acknowledge') return action.kind;
  if (action.kind === 'retry') return `retry ${action.id}`;
  const { from, to, force, publish } = action;
  const months = from === to ? from : `${from} to ${to}`;
  const how = [...(force ? ['force'] : []), ...(publish ? ['publish'] : [])];
  return ['back-fill', months, ...how].join(' ');
}

/** A job that runs, waits for another attempt, or has failed. */
export type OpsJob = {
  id: string;
  name: string;
  /** ISO: when the last attempt began, or when the job came. */
  since: string;
  attempts: number;
  progress?: string;
  /** Why the last attempt failed. */
  why?: string;
  /** The host whose worker is at it, or was last. */
  host?: string;
};

/** A process that works off the queues: where it is (`pid` 0 is not known), and the ids of the jobs it is at. */
export type WorkerSeen = { host: string; pid: number; does: string[] };

/** A queue as operators see it. */
export type OpsQueue = {
  queue: 'extract' | 'warehouse' | 'live';
  workers: number;
  waiting: number;
  running: OpsJob[];
  retrying: OpsJob[];
  /** The newest first; how many there are in all is `failedCount`. */
  failed: OpsJob[];
  failedCount: number;
};

export type OpsSchedule = { id: string; what: string; pattern: string; next?: string };

/** What is asked of the queues for operators; each call fails rather than wait for a Redis that is away. */
export type Operations = {
  look: () => Promise<{ queues: OpsQueue[]; workers: WorkerSeen[]; schedules: OpsSchedule[] }>;
  /** Asks for it in the name of that person and gives the id of the request. */
  ask: (action: OpsAction, by: string) => Promise<string>;
  /** The queues themselves, for a page that shows all of them. */
  boards: () => unknown[];
  close: () => Promise<void>;
};

/** Loads what knows the queues, once it is needed. */
export type OpenOperations = () => Promise<Operations>;

function month(name: string) {
  return z
    .string({ error: `The month ${name} is missing.` })
    .regex(/^(19|20)\d{2}-(0[1-9]|1[0-2])$/, `The month ${name} is not one like 2025-03.`);
}

/** A form leaves out what is not ticked. */
function checkbox() {
  return z
    .union([z.boolean(), z.string()])
    .optional()
    .transform((value) => value === true || value === 'on');
}
