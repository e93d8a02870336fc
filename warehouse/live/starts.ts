import type { Redis } from 'ioredis';
import { isRecent, readReports, writeReport, type Report } from './reports.ts';

/** A first start of a service, which loads the flight history before it can publish a score store. */
export type StartReport = Report & {
  machine: string;
  /** When the start began (ISO). A start that was repeated within a day began when the first of them began. */
  since: string;
};

const STARTS = 'hw:starts';
/** Starts renew their report this often. */
export const START_RENEWAL_MS = 5_000;
/** Exceeds the 10 s in which an API reports a new score store, because the last report of a start is older than that. */
const START_SILENT_MS = 20_000;
/** A longer start is an outage. The bundled history takes one or two minutes. */
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
