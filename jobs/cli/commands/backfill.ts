import { mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MonthSource } from '../../../pipelines/flights/month-source.ts';
import { isMonth, monthsBetween, type Month } from '../../../pipelines/flights/months.ts';
import type { MonthPlan } from '../../../pipelines/flights/plan-month.ts';
import { requestBackfill } from '../../queue/backfill-jobs.ts';
import type { BackfillRequest } from '../../queue/month-jobs.ts';
import { isBaseUrl } from '../../settings/kinds.ts';
import type { JobsConfig } from '../../config.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { followMonths, type MonthEnd } from '../follow-months.ts';
import { monthsLine } from '../months-line.ts';
import { progressLine } from '../progress-line.ts';
import { isUnfinished } from '../../queue/requests.ts';
import { refreshLake } from '../lake-refresh.ts';
import { withJobs, type JobSession } from '../session.ts';
import { backfillSummary, planTable } from './backfill-summary.ts';
import type { MonthPlanner } from '../../wiring/month-planner.ts';
import { publishNow } from './publish.ts';

/** Options as typed on the command line. */
export type BackfillOptions = {
  from?: string;
  to?: string;
  source?: string;
  dryRun?: boolean;
  force?: boolean;
  publish?: boolean;
};

const EXAMPLE = 'Example: make backfill FROM=2025-01 TO=2025-12';
/**
 * Longest wait for the end of the parent job. The parent ends shortly after the jobs of its months. Without this wait,
 * a repeated command could follow the old parent job.
 */
const PARENT_PATIENCE_MS = 2_000;
const POLL_MS = 20;

/** Loads a range of months from BTS, a mirror of BTS or a folder, and prints a table. Returns 1 if a month failed. */
export async function backfill(
  context: CommandContext,
  options: BackfillOptions,
  plan: MonthPlanner,
): Promise<number> {
  const months = parseMonthRange(options);
  const source = await sourceOf(options.source, context.config);
  const request = { months, source, force: options.force === true };
  if (options.dryRun === true) {
    await refreshLake(context, 'size');
    return dryRun(context, request, plan);
  }
  return withJobs(context, 'backfill', async (session) => {
    const ends = await followBackfill(context, session, request);
    const isToPublish = options.publish === true;
    context.out.write(backfillSummary(ends, isToPublish));
    const code = ends.some(({ failure }) => failure !== undefined) ? 1 : 0;
    const hasMonths = ends.some(({ result }) => result && result.outcome !== 'absent');
    return isToPublish && hasMonths ? Math.max(code, await publishNow(context, session)) : code;
  });
}

/** Returns the months from FROM to TO. Throws `CommandError` with the problem and an example. */
export function parseMonthRange(
  { from, to }: Pick<BackfillOptions, 'from' | 'to'>,
  example: string = EXAMPLE,
): Month[] {
  if (!from || !to) {
    const missing = [from ? [] : 'FROM', to ? [] : 'TO'].flat().join(' and ');
    throw new CommandError(`${missing} must be given. ${example}`);
  }
  const invalid = [...new Set([from, to])].filter((text) => !isMonth(text));
  if (invalid.length > 0) {
    const list = invalid.map((text) => `"${text}"`).join(' and ');
    throw new CommandError(`Not a month from 1987-10 on: ${list}. ${example}`);
  }
  if (from > to) throw new CommandError(`FROM=${from} is after TO=${to}. ${example}`);
  return monthsBetween(from, to);
}

/** Resolves SOURCE to an address or an absolute path of a folder; without SOURCE, returns BTS. */
async function sourceOf(source: string | undefined, config: JobsConfig): Promise<MonthSource> {
  const text = source || config.btsBaseUrl;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) {
    if (!isBaseUrl(text)) {
      throw new CommandError('SOURCE is neither a plain http(s):// address nor a folder');
    }
    if (config.offline) {
      throw new CommandError(
        `OFFLINE=1 is set, so nothing is downloaded. To load a folder: ${EXAMPLE.slice(9)} SOURCE=folder`,
      );
    }
    return { kind: 'url', base: text, table: config.btsTable };
  }
  const path = resolve(text);
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  if (!isFolder) throw new CommandError(`SOURCE=${path} is not a folder`);
  return { kind: 'folder', path };
}

/** Requests the months and waits until each has ended. */
export async function followBackfill(
  { config, err }: CommandContext,
  session: JobSession,
  request: BackfillRequest,
): Promise<MonthEnd[]> {
  const { queues, signal } = session;
  await mkdir(config.dataDir, { recursive: true });
  const jobs = await requestBackfill(queues, request, join(config.dataDir, 'backfill.lock'));
  const line = monthsLine(jobs.months.length, err);
  const unwatch = session.watch(jobs.months.map(({ load }) => load));
  try {
    const onEnd: typeof line.onEnd = (end, month) => {
      unwatch(month.load);
      line.onEnd(end, month);
    };
    const ends = await followMonths(jobs.months, { ...line, onEnd }, { queues, signal });
    const until = Date.now() + PARENT_PATIENCE_MS;
    while (Date.now() < until && (await isUnfinished(queues, jobs.parent))) {
      await sleep(POLL_MS);
    }
    return ends;
  } finally {
    line.end();
  }
}

async function dryRun(
  { out, err }: CommandContext,
  { months, source, force }: BackfillRequest & { source: MonthSource },
  plan: MonthPlanner,
): Promise<number> {
  const line = progressLine('plan', err);
  const plans: MonthPlan[] = [];
  try {
    for (const month of months) {
      plans.push(await plan({ month, source, force }));
      line.show({ done: plans.length, total: months.length, what: month });
    }
  } finally {
    line.end();
  }
  out.write(planTable(plans));
  return plans.some(({ action }) => action === 'fail') ? 1 : 0;
}
