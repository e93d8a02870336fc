/**
 * Visitors of the pages, each at an address of their own, in a process of its own: they open a page and then change one thing
 * after the other. Told by the parent to come and to go; answers how many questions were asked and how many of them failed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sourceOf, type Crowd, type Visits } from './asked.ts';

/** From one question of a visitor to the next, on average. */
const THINK_MS = 5_000;
/** Of so many questions one opens a page anew; the others are asked by the page that is open. */
const PER_PAGE = 8;

let visits: Visits = { asked: 0, failed: 0 };
let going = new AbortController();

process.on('message', (crowd: Crowd | 'leave') => {
  if (crowd === 'leave') {
    going.abort();
    process.send?.(visits);
    return;
  }
  going = new AbortController();
  visits = { asked: 0, failed: 0 };
  const { signal } = going;
  for (let at = 0; at < crowd.visitors; at++) void visit(crowd, at, signal);
});

async function visit(crowd: Crowd, visitor: number, signal: AbortSignal): Promise<void> {
  const { port, flights, pages } = crowd;
  // They do not all press at once.
  await sleep(Math.random() * THINK_MS, undefined, { signal }).catch(() => undefined);
  for (let question = 0; !signal.aborted; question++) {
    const flight = pick(flights);
    const path =
      question % PER_PAGE === 0
        ? pick([`/flights/${flight}`, ...pages])
        : sourceOf(flight, anHour());
    const headers = {
      'X-Forwarded-For': `10.${visitor >> 8}.${visitor & 255}.7`,
      Accept: 'text/html,*/*',
      'Accept-Encoding': 'br',
    };
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal });
      await answer.arrayBuffer();
      visits.asked += 1;
      if (!answer.ok) visits.failed += 1;
    } catch {
      if (!signal.aborted) visits.failed += 1;
    }
    const pauseMs = THINK_MS * (0.5 + Math.random());
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

function anHour(): string {
  return `${String(Math.floor(Math.random() * 24)).padStart(2, '0')}:00`;
}

function pick(list: readonly string[]): string {
  return list[Math.floor(Math.random() * list.length)] ?? '';
}
