import type { Redis } from 'ioredis';
import { isRecent, readReports, writeReport, type Report } from './reports.ts';

/** A first start of a service, which loads the flight history before it can publish a score store. */
export type StartReport = Report & {
  machine: string;
  /** Time of the start (ISO). If a start is repeated within a day, this is the time of the first start. */
  since: string;
};

const STARTS = 'hw:starts';
/** Time between two reports of a start. */
export const START_RENEWAL_MS = 5_000;
/**
 * A start has ended if its last report is older than this. The API reports the new score store up to 10 s after the
 * last report of the start, so the limit is longer than 10 s.
 */
const START_SILENT_MS = 20_000;
/** A start that takes longer is treated as an outage. With the bundled history it takes one or two minutes. */
const START_DEADLINE_MS = 15 * 60_000;

type Reader = Pick<Redis, 'hgetall' | 'hdel'>;

/** Writes or renews the report of a first start. */
export async function writeStart(
  redis: Reader & Pick<Redis, 'hset'>,
  machine: string,
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  const starts = await readReports<StartReport>(redis, STARTS, now);
  const { since = at } = starts.find((start) => start.machine === machine) ?? {};
  const start: StartReport = { machine, since, at };
  await writeReport(redis, STARTS, machine, start);
}

/** Returns the first start that is in progress; undefined if there is none, or if it takes too long. */
export async function readStart(redis: Reader, now: Date): Promise<StartReport | undefined> {
  const starts = await readReports<StartReport>(redis, STARTS, now);
  return starts.find(
    (start) =>
      isRecent(start, now, START_SILENT_MS) &&
      now.getTime() - Date.parse(start.since) < START_DEADLINE_MS,
  );
}
