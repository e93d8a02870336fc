import { randomFrom } from '../generate/random.ts';
import { batchPath, calendarPath, drawQueries, scorePath } from '../api/paths.ts';
import type { Flight } from '../api/synthetic-store.ts';

/** Number of paths for one run: more than the number of answers of either version, so no path repeats. */
const PATHS_PER_RUN = 60_000;

/** An endpoint, and a function that returns the paths of one run, given the API key of a version. */
type RequestKind = { name: string; pathsFor: (apiKey: string) => string[] };

export const SCORE = '/api/score';
const [BATCH, CALENDAR] = ['/api/score/batch of 50', '/api/calendar'];

/**
 * Returns the kinds of requests of a round. Both versions get the same paths, because their random draws start from the
 * same seed.
 */
export function requestKinds(round: string, flights: Flight[]): RequestKind[] {
  const drawPaths =
    (count: number, pathOf: (nextQuery: ReturnType<typeof drawQueries>, key: string) => string) =>
    (apiKey: string) => {
      const nextQuery = drawQueries(flights, randomFrom(`round ${round}`));
      return Array.from({ length: count }, () => pathOf(nextQuery, apiKey));
    };
  return [
    {
      name: SCORE,
      pathsFor: drawPaths(PATHS_PER_RUN, (nextQuery, key) => scorePath(nextQuery(), key)),
    },
    { name: BATCH, pathsFor: drawPaths(PATHS_PER_RUN / 20, batchPath) },
    {
      name: CALENDAR,
      pathsFor: drawPaths(PATHS_PER_RUN / 10, (nextQuery, key) => calendarPath(nextQuery(), key)),
    },
  ];
}
