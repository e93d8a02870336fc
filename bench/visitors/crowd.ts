/**
 * Simulates visitors of the pages in a separate process, each with its own address. A visitor opens a page and then
 * changes one thing after another. The parent process sends a `Crowd` to start the visitors and `leave` to stop them.
 * The parent process then gets the numbers of requests and failures.
 */
import { hourToTime } from '../../warehouse/ground/hours.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { pageDataPath, type Crowd, type Visits } from './messages.ts';

/** Average time between two requests of a visitor. */
const THINK_MS = 5_000;
/** Requests per page: the first request opens the page, the others come from the open page. */
const PER_PAGE = 8;

let visits: Visits = { requests: 0, failed: 0 };
let stopping = new AbortController();

process.on('message', (crowd: Crowd | 'leave') => {
  if (crowd === 'leave') {
    stopping.abort();
    process.send?.(visits);
    return;
  }
  stopping = new AbortController();
  visits = { requests: 0, failed: 0 };
  const { signal } = stopping;
  for (let at = 0; at < crowd.visitors; at++) void visit(crowd, at, signal);
});

async function visit(crowd: Crowd, visitor: number, signal: AbortSignal): Promise<void> {
  const { port, flights, pages } = crowd;
  // Visitors start at different moments.
  await sleep(Math.random() * THINK_MS, undefined, { signal }).catch(() => undefined);
  for (let at = 0; !signal.aborted; at++) {
    const flight = pick(flights);
    const path =
      at % PER_PAGE === 0
        ? pick([`/flights/${flight}`, ...pages])
        : pageDataPath(flight, randomHour());
    const headers = {
      'X-Forwarded-For': `10.${visitor >> 8}.${visitor & 255}.7`,
      Accept: 'text/html,*/*',
      'Accept-Encoding': 'br',
    };
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal });
      await answer.arrayBuffer();
      visits.requests += 1;
      if (!answer.ok) visits.failed += 1;
    } catch {
      if (!signal.aborted) visits.failed += 1;
    }
    const pauseMs = THINK_MS * (0.5 + Math.random());
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

function randomHour(): string {
  return hourToTime(Math.floor(Math.random() * 24));
}

function pick(list: readonly string[]): string {
  return list[Math.floor(Math.random() * list.length)] ?? '';
}
