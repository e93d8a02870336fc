import test from 'ava';
import { pino } from 'pino';
import { isNotable, scanWatches } from '../../../pipelines/watches/scan.ts';
import type { NotifiedScore, Watch } from '../../../warehouse/live/watches.ts';

const KNOWN: NotifiedScore = { score: 40, label: 'Moderate', at: '2026-11-01T00:00:00.000Z' };

function aWatch(id: string, depTime: string | undefined, changes: Partial<Watch> = {}): Watch {
  const flight = { origin: 'JFK', dest: 'LAX', airline: 'DL', date: '2026-11-20' };
  return {
    ...{ id, keyHash: 'key', account: 'key', url: 'https://a.example', points: 10, hasBand: true },
    flight: { ...flight, ...(depTime !== undefined && { dep_time: depTime }) },
    createdAt: '2026-11-01T00:00:00.000Z',
    ...changes,
  };
}

test('each flight is scored once for all its watches, and departures of one hour are one flight', async (t) => {
  const scored: (string | undefined)[] = [];
  const watches = [
    aWatch('a', '17:05'),
    aWatch('b', '17:55'),
    aWatch('c', '18:00'),
    aWatch('d', undefined),
    aWatch('e', undefined, { points: 31, hasBand: false }),
    aWatch('f', undefined, { keyHash: 'ended' }),
  ];
  const [delivered, removed]: string[][] = [[], []];
  const report = await scanWatches({
    async *watches() {
      yield watches.slice(0, 3);
      yield watches.slice(3);
    },
    scoreFlight: async ({ dep_time }) => {
      scored.push(dep_time);
      return { score: 70, label: 'High', storeVersion: 'v1' };
    },
    isKeyActive: async (keyHash) => keyHash !== 'ended',
    readNotified: async (ids) => ids.map(() => KNOWN),
    recordChanges: async (changes) =>
      changes.map(({ watch }) => watch.id).filter((id) => id !== 'c'),
    removeWatch: async ({ id }) => removed?.push(id),
    deliver: async (ids) => void delivered?.push(...ids.map(({ id }) => id)),
    now: () => new Date('2026-11-02T12:00:00Z'),
    log: pino({ level: 'silent' }),
  });
  t.deepEqual(scored, ['17:05', '18:00', undefined]);
  t.deepEqual(report, { watches: 5, flights: 3, changes: 3, removed: 1, failed: 0 });
  t.deepEqual(delivered, ['a', 'b', 'd'], 'another scan has recorded the change of c');
  t.deepEqual(removed, ['f']);
});

test('a change is notable from the number of points on, or with another band', (t) => {
  const watch = { points: 10, hasBand: true };
  t.false(isNotable(watch, KNOWN, { score: 49, label: 'Moderate' }));
  t.true(isNotable(watch, KNOWN, { score: 50, label: 'Moderate' }));
  t.true(isNotable(watch, KNOWN, { score: 30, label: 'Moderate' }));
  t.true(isNotable(watch, KNOWN, { score: 30, label: 'Low' }));
  t.true(isNotable({ ...watch, points: 100 }, KNOWN, { score: 56, label: 'High' }));
  t.false(isNotable({ points: 100, hasBand: false }, KNOWN, { score: 56, label: 'High' }));
});

test('a flight whose scoring fails delays no message of another flight, and is logged once', async (t) => {
  const [warnings, delivered]: [unknown[], string[]] = [[], []];
  const report = await scanWatches({
    async *watches() {
      yield [aWatch('a', '09:00'), aWatch('b', '10:00'), aWatch('c', '11:00')];
    },
    scoreFlight: async ({ dep_time }) => {
      if (dep_time !== '11:00') throw new Error(`no score at ${dep_time}`);
      return { score: 70, label: 'High', storeVersion: 'v1' };
    },
    isKeyActive: async () => true,
    readNotified: async (ids) => ids.map(() => KNOWN),
    recordChanges: async (changes) => changes.map(({ watch }) => watch.id),
    removeWatch: async () => undefined,
    deliver: async (ids) => void delivered.push(...ids.map(({ id }) => id)),
    now: () => new Date('2026-11-02T12:00:00Z'),
    log: { warn: (details: unknown) => void warnings.push(details) },
  });
  t.deepEqual(delivered, ['c']);
  t.deepEqual(report, { watches: 3, flights: 3, changes: 1, removed: 0, failed: 2 });
  t.is(warnings.length, 1);
  t.like(warnings[0], { flight: { dep_time: '09:00' } });
});
