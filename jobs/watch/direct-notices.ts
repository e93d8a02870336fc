import type { Logger } from 'pino';
import { sha256 } from '../../warehouse/ground/sha256.ts';
import type { Problem } from '../../warehouse/live/conditions.ts';
import type { NoticeHook } from './webhook.ts';

export type DirectNoticesDeps = {
  hook: NoticeHook | undefined;
  log: Pick<Logger, 'warn' | 'error' | 'info'>;
  now: () => Date;
};

type OpenProblem = { problem: Problem; since: string; isSent: boolean; endedAt?: string };

/** Workers that notice a problem within the same 5 minutes send equal ids. */
const SINCE_STEP_MS = 5 * 60_000;

/**
 * Sends notices of problems that cannot be recorded in Redis, because the problem is Redis itself. Keeps them in
 * memory. Returns a function that takes the current problems of this kind; call it regularly, because each call sends
 * again what the address did not accept.
 */
export function createDirectNotices({ hook, log, now }: DirectNoticesDeps) {
  const open = new Map<string, OpenProblem>();
  let sending = Promise.resolve();

  const note = (problems: readonly Problem[]) => {
    const at = now();
    for (const problem of problems) {
      if (open.get(problem.key)?.endedAt === undefined && open.has(problem.key)) continue;
      log.error(problem.text);
      const since = new Date(Math.floor(at.getTime() / SINCE_STEP_MS) * SINCE_STEP_MS);
      open.set(problem.key, { problem, since: since.toISOString(), isSent: false });
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
      const { problem, since, isSent, endedAt } = entry;
      const id = `msg_${sha256(`${key}\n${since}`).slice(0, 32)}`;
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
