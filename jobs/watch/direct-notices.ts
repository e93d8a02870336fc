import type { Logger } from 'pino';
import { sha256 } from '../../warehouse/ground/hashes.ts';
import type { Problem } from '../../warehouse/live/conditions.ts';
import type { NoticeHook } from './webhook.ts';

export type DirectNoticesDeps = {
  hook: NoticeHook | undefined;
  log: Pick<Logger, 'warn' | 'error' | 'info'>;
  now: () => Date;
};

type OpenProblem = {
  problem: Problem;
  id: string;
  since: string;
  isSent: boolean;
  endedAt?: string;
};

/**
 * Describes when a problem last began. `since` is the time, rounded down to 5 minutes. `count` is the number of times
 * that the problem began within these 5 minutes.
 */
type Beginning = { since: string; count: number };

/**
 * The time when a problem began is rounded down to a multiple of this step. Workers that notice a problem within the
 * same 5 minutes then send equal ids.
 */
const SINCE_STEP_MS = 5 * 60_000;

/**
 * Sends notices of problems with Redis itself. Redis cannot record such problems, so they are stored in memory. Returns
 * a function that takes the current problems. Call it regularly, because each call sends again all notices that the
 * address did not accept.
 */
export function createDirectNotices({ hook, log, now }: DirectNoticesDeps) {
  const open = new Map<string, OpenProblem>();
  const beginnings = new Map<string, Beginning>();
  let sending = Promise.resolve();

  const note = (problems: readonly Problem[]) => {
    const at = now();
    for (const problem of problems) {
      if (open.get(problem.key)?.endedAt === undefined && open.has(problem.key)) continue;
      log.error(problem.text);
      const since = new Date(
        Math.floor(at.getTime() / SINCE_STEP_MS) * SINCE_STEP_MS,
      ).toISOString();
      const last = beginnings.get(problem.key);
      const count = last?.since === since ? last.count + 1 : 1;
      beginnings.set(problem.key, { since, count });
      open.set(problem.key, {
        problem,
        id: noticeId(problem.key, since, count),
        since,
        isSent: false,
      });
    }
    const keys = new Set(problems.map(({ key }) => key));
    for (const [key, entry] of open) {
      if (keys.has(key) || entry.endedAt !== undefined) continue;
      log.info({ key }, 'resolved');
      entry.endedAt = at.toISOString();
    }
  };

  const send = async () => {
    for (const [key, entry] of open) {
      const { problem, id, since, isSent, endedAt } = entry;
      const data = { key, since };
      if (!isSent && endedAt === undefined) {
        await hook?.send({ id, type: problem.kind, at: since, text: problem.text, data });
        entry.isSent = true;
      } else if (endedAt !== undefined) {
        const over = { id: `${id}_over`, type: `${problem.kind}.over`, at: endedAt };
        if (isSent) await hook?.send({ ...over, text: `Resolved: ${key}`, data });
        open.delete(key);
      }
    }
  };

  return {
    report: (problems: readonly Problem[]): void => {
      note(problems);
      sending = sending.then(send).catch((err: unknown) => log.warn({ err }, 'notice not sent'));
    },
    waitUntilDone: () => sending,
  };
}

/**
 * Returns the id of a notice. If a problem begins again within the same 5 minutes, the id also depends on `count`.
 * Otherwise both notices would have the same id, and receivers would drop the second notice.
 */
function noticeId(key: string, since: string, count: number): string {
  const identity = count === 1 ? `${key}\n${since}` : `${key}\n${since}\n${count}`;
  return `msg_${sha256(identity).slice(0, 32)}`;
}
