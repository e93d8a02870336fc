/**
 * Returns the number of requests that the log line of this request represents; undefined if this request is not logged.
 */
export type RequestSample = (status: number, atMs: number) => number | undefined;

const SECOND_MS = 1_000;
/** Above the limit, one of this many requests is logged. */
const SAMPLE_SIZE = 100;

/**
 * Decides which requests are logged: the first `perSecond` requests of each second, every hundredth further request,
 * and every request with a 5xx answer. The returned numbers add up to the total number of requests.
 */
export function sampleRequests(perSecond: number): RequestSample {
  let secondStart = 0;
  let countInSecond = 0;
  let unloggedCount = 0;
  return (status, atMs) => {
    if (atMs - secondStart >= SECOND_MS) [secondStart, countInSecond] = [atMs, 0];
    countInSecond += 1;
    unloggedCount += 1;
    const isLogged = countInSecond <= perSecond || status >= 500 || unloggedCount >= SAMPLE_SIZE;
    if (!isLogged) return undefined;
    const requestCount = unloggedCount;
    unloggedCount = 0;
    return requestCount;
  };
}
