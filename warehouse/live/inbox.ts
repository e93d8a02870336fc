import type { Redis } from 'ioredis';

/** A file that was taken from the inbox. */
export type InboxFile = {
  name: string;
  /** When the file was moved (ISO). */
  at: string;
  outcome: 'done' | 'refused';
  /** The months that were loaded, or the reason why the file was refused. */
  why: string;
};

/**
 * Redis hash that maps the name of a moved file to an `InboxFile` as JSON. The name begins with the time of the move.
 */
const INBOX_KEY = 'hw:inbox';
const FILES_KEPT = 20;

/**
 * Records a file that was moved out of the inbox. Recording a file twice has no effect. Only the newest files are kept.
 */
export async function recordInboxFile(
  redis: Pick<Redis, 'hset' | 'hkeys' | 'hdel'>,
  movedName: string,
  file: InboxFile,
): Promise<void> {
  await redis.hset(INBOX_KEY, movedName, JSON.stringify(file));
  const old = (await redis.hkeys(INBOX_KEY)).toSorted().slice(0, -FILES_KEPT);
  if (old.length > 0) await redis.hdel(INBOX_KEY, ...old);
}

/** Reads the last files of the inbox, newest first. */
export async function readInboxFiles(redis: Pick<Redis, 'hgetall'>): Promise<InboxFile[]> {
  return Object.entries(await redis.hgetall(INBOX_KEY))
    .toSorted(([a], [b]) => b.localeCompare(a))
    .map(([, text]) => JSON.parse(text) as InboxFile);
}
