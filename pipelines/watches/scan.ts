import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { dateAt, DAY_MS } from '../../warehouse/ground/dates.ts';
import type { WatchChange } from '../../warehouse/live/watch-messages.ts';
import type {
  CurrentScore,
  NotifiedScore,
  Watch,
  WatchedFlight,
} from '../../warehouse/live/watches.ts';

export type ScanDeps = {
  /** Yields all watches in batches. */
  watches: () => AsyncIterable<Watch[]>;
  /** Scores a flight; undefined if the flight cannot be scored, for example because it has departed. */
  scoreFlight: (flight: WatchedFlight) => Promise<CurrentScore | undefined>;
  /** Whether the key, or a key that replaced it, may still call the service. */
  isKeyActive: (keyHash: string) => Promise<boolean>;
  /** Reads the scores that callers know, in the order of the ids. */
  readNotified: (ids: string[]) => Promise<(NotifiedScore | undefined)[]>;
  /** Returns the ids of the recorded changes. */
  recordChanges: (changes: WatchChange[]) => Promise<string[]>;
  removeWatch: (watch: Watch) => Promise<unknown>;
  /** Requests the delivery of the messages of these watches. */
  deliver: (watches: Pick<Watch, 'id' | 'account'>[]) => Promise<void>;
  now: () => Date;
  log: Pick<Logger, 'warn'>;
};

/** Numbers of one scan. */
export type ScanReport = {
  watches: number;
  flights: number;
  changes: number;
  removed: number;
  /** Flights whose scoring failed. The next scan scores them again. */
  failed: number;
};

/**
 * Number of flights to score before other work of the process may run. The changes of these flights are recorded
 * together.
 */
const BATCH = 100;
/**
 * Number of days from a flight's date until its watches are deleted. By then, the flight's day has ended everywhere,
 * and messages were retried for a day.
 */
const DAYS_AFTER_FLIGHT = 3;

/**
 * Scores each watched flight once, and records a message for each watch whose caller knows a notably different score.
 * Deletes the watches of former flights and of inactive keys.
 */
export async function scanWatches(deps: ScanDeps): Promise<ScanReport> {
  const report: ScanReport = { watches: 0, flights: 0, changes: 0, removed: 0, failed: 0 };
  const flights = await groupWatches(deps, report);
  report.flights = flights.length;
  for (let from = 0; from < flights.length; from += BATCH) {
    const changes = await findChanges(flights.slice(from, from + BATCH), deps, report);
    const recorded = new Set(await deps.recordChanges(changes));
    const watches = changes.map(({ watch }) => watch).filter(({ id }) => recorded.has(id));
    await deps.deliver(watches);
    report.changes += recorded.size;
    await nextTurn();
  }
  return report;
}

/** Whether the caller of a watch wants to know the new score. */
export function isNotable(
  { points, hasBand }: Pick<Watch, 'points' | 'hasBand'>,
  known: Pick<NotifiedScore, 'score' | 'label'>,
  current: Pick<NotifiedScore, 'score' | 'label'>,
): boolean {
  if (hasBand && current.label !== known.label) return true;
  return Math.abs(current.score - known.score) >= points;
}

/** Groups the valid watches by flight. Deletes all others. */
async function groupWatches(deps: ScanDeps, report: ScanReport): Promise<Watch[][]> {
  const flights = new Map<string, Watch[]>();
  const oldest = dateAt(new Date(deps.now().getTime() - DAYS_AFTER_FLIGHT * DAY_MS));
  const activeKeys = new Map<string, Promise<boolean>>();
  const isActive = (keyHash: string) => {
    const known = activeKeys.get(keyHash) ?? deps.isKeyActive(keyHash);
    activeKeys.set(keyHash, known);
    return known;
  };
  for await (const watches of deps.watches()) {
    for (const watch of watches) {
      if (watch.flight.date < oldest || !(await isActive(watch.keyHash))) {
        await deps.removeWatch(watch);
        report.removed += 1;
        continue;
      }
      report.watches += 1;
      const { origin, dest, airline, date, dep_time: depTime = '' } = watch.flight;
      // A score depends on the hour of the departure, not on the minute.
      const key = [origin, dest, airline, date, depTime.slice(0, 2)].join();
      const others = flights.get(key);
      if (others) others.push(watch);
      else flights.set(key, [watch]);
    }
  }
  return [...flights.values()];
}

/**
 * Returns the notable changes of these flights. If the scoring of a flight fails, the flight is counted and left out.
 * The watches of the other flights still get their messages.
 */
async function findChanges(
  flights: Watch[][],
  { scoreFlight, readNotified, now, log }: ScanDeps,
  report: ScanReport,
): Promise<(WatchChange & { watch: Watch })[]> {
  const watches = flights.flat();
  const notified = await readNotified(watches.map(({ id }) => id));
  const known = new Map(watches.map(({ id }, at) => [id, notified[at]]));
  const changes: (WatchChange & { watch: Watch })[] = [];
  for (const sameFlight of flights) {
    const [first] = sameFlight;
    if (!first) continue;
    let score: CurrentScore | undefined;
    try {
      score = await scoreFlight(first.flight);
    } catch (err) {
      report.failed += 1;
      // Log one line for each scan, because all flights may fail for the same reason.
      if (report.failed === 1) log.warn({ err, flight: first.flight }, 'watched flight not scored');
    }
    if (!score) continue;
    for (const watch of sameFlight) {
      const former = known.get(watch.id);
      if (!former || !isNotable(watch, former, score)) continue;
      changes.push(changeOf(watch, former, score, now()));
    }
  }
  return changes;
}

function changeOf(watch: Watch, known: NotifiedScore, score: CurrentScore, now: Date) {
  const at = now.toISOString();
  const { flight } = watch;
  return {
    watch,
    known,
    current: { score: score.score, label: score.label, at },
    message: {
      id: `msg_${randomUUID().replaceAll('-', '')}`,
      type: 'score.changed',
      at,
      data: {
        watch: watch.id,
        input: {
          origin: flight.origin,
          destination: flight.dest,
          airline: flight.airline,
          flight_date: flight.date,
          ...(flight.dep_time !== undefined && { dep_time: flight.dep_time }),
        },
        score: score.score,
        label: score.label,
        previous_score: known.score,
        previous_label: known.label,
        store_version: score.storeVersion,
      },
    },
  };
}
