import { addDays, daysBetween } from '../../warehouse/ground/dates.ts';

/** An attempt of the current code to load a provider's file. */
export type LoadAttempt = {
  /** Name of the file, and SHA-256 of its content. */
  name: string;
  sha256: string;
  /** ISO, UTC. */
  at: string;
  /** Whether the file failed, or one of its months was refused. */
  isRefused: boolean;
};

/** Files that were refused. Each waits for its next attempt. */
export type RefusedFiles = {
  /** Whether the last version of the file with this name was refused. */
  isRefused: (name: string) => boolean;
  /** Whether the last attempt at this content failed or left out a month. */
  isContentRefused: (sha256: string) => boolean;
  /** Returns the date of the next attempt at this content; undefined if it may be loaded now. */
  nextAttempt: (sha256: string) => string | undefined;
  /**
   * Returns the date from which the last version of the file with this name may be loaded again; an empty text if the
   * file was not refused.
   */
  dueDate: (name: string) => string;
};

/** Longest wait between two attempts at the same content. */
const MAX_WAIT_DAYS = 32;

/**
 * Finds the files that must wait. After the first day with an attempt, a file waits two days. Each further day with an
 * attempt doubles the wait. A file is loaded at once if its content is new, or if another version of the code refused
 * it.
 */
export function findRefusedFiles(attempts: readonly LoadAttempt[], now: Date): RefusedFiles {
  const today = now.toISOString().slice(0, 10);
  const byName = new Map(attempts.map((attempt) => [attempt.name, attempt]));
  const byContent = Map.groupBy(attempts, ({ sha256 }) => sha256);
  const dueDate = (sha256: string) => dateAfter(byContent.get(sha256) ?? []);
  return {
    isRefused: (name) => byName.get(name)?.isRefused === true,
    isContentRefused: (sha256) => byContent.get(sha256)?.at(-1)?.isRefused === true,
    nextAttempt: (sha256) => {
      const next = dueDate(sha256);
      return next !== undefined && daysBetween(today, next) > 0 ? next : undefined;
    },
    dueDate: (name) => dueDate(byName.get(name)?.sha256 ?? '') ?? '',
  };
}

/**
 * Returns the date of the next attempt to load a file. `attempts` are all attempts to load the same content. Returns
 * undefined if the last attempt loaded the file.
 */
function dateAfter(attempts: readonly LoadAttempt[]): string | undefined {
  const lastLoad = attempts.findLastIndex(({ isRefused }) => !isRefused);
  const days = [...new Set(attempts.slice(lastLoad + 1).map(({ at }) => at.slice(0, 10)))];
  const last = days.toSorted().at(-1);
  return last === undefined ? undefined : addDays(last, Math.min(2 ** days.length, MAX_WAIT_DAYS));
}
