import { addDays, daysBetween } from '../../warehouse/ground/dates.ts';

/** An attempt to load a file of a provider, by the current code. */
export type LoadAttempt = {
  /** Name of the file, and SHA-256 of its content. */
  name: string;
  sha256: string;
  /** ISO, UTC. */
  at: string;
  /** Whether the file failed, or one of its months was refused. */
  isRefused: boolean;
};

/** The files that were refused and wait for their next attempt. */
export type RefusedFiles = {
  /** Whether the last version of the file with this name was refused. */
  isRefused: (name: string) => boolean;
  /** Returns the date of the next attempt at this content; undefined if it may be loaded now. */
  nextAttempt: (sha256: string) => string | undefined;
};

/** Longest wait between two attempts at the same content. */
const MAX_WAIT_DAYS = 32;

/**
 * Finds the files to wait for. The wait is two days after the first day with an attempt, and doubles with every further
 * day. A file with other content, and a file that other code refused, is loaded at once.
 */
export function findRefusedFiles(attempts: readonly LoadAttempt[], now: Date): RefusedFiles {
  const today = now.toISOString().slice(0, 10);
  const byName = new Map(attempts.map((attempt) => [attempt.name, attempt]));
  const byContent = Map.groupBy(attempts, ({ sha256 }) => sha256);
  return {
    isRefused: (name) => byName.get(name)?.isRefused === true,
    nextAttempt: (sha256) => {
      const own = byContent.get(sha256) ?? [];
      const lastLoad = own.findLastIndex(({ isRefused }) => !isRefused);
      const days = [...new Set(own.slice(lastLoad + 1).map(({ at }) => at.slice(0, 10)))];
      const last = days.toSorted().at(-1);
      if (last === undefined) return undefined;
      const next = addDays(last, Math.min(2 ** days.length, MAX_WAIT_DAYS));
      return daysBetween(today, next) > 0 ? next : undefined;
    },
  };
}
