/** How many answers the line about one stands for; undefined where it has no line of its own. */
export type RequestSample = (status: number, atMs: number) => number | undefined;

const SECOND_MS = 1_000;
/** Beyond the limit, one in so many has a line. */
const ONE_IN = 100;

/**
 * Decides which requests have a line in the log: all up to so many in a second, beyond that one in a hundred, and every
 * 5xx. The numbers given back sum up to all requests but those after the last line.
 */
export function sampleRequests(perSecond: number): RequestSample {
  let secondBegan = 0;
  let inSecond = 0;
  let untold = 0;
  return (status, atMs) => {
    if (atMs - secondBegan >= SECOND_MS) [secondBegan, inSecond] = [atMs, 0];
    inSecond += 1;
    untold += 1;
    const isTold = inSecond <= perSecond || status >= 500 || untold >= ONE_IN;
    if (!isTold) return undefined;
    const standsFor = untold;
    untold = 0;
    return standsFor;
  };
}
