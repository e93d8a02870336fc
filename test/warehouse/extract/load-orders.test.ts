import test from 'ava';
import { randomFrom } from '../../../bench/generate/random.ts';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { aFile, aFlight, aFolder, lakeRows, NOW, toCsv } from '../../helpers/flight-files.ts';

type Flight = Record<string, string>;

const MONTHS = ['2019-01', '2019-02'];
const ROUNDS = 6;
const LOADS = 10;
const KEY = ['FL_DATE', 'OP_UNIQUE_CARRIER', 'OP_CARRIER_FL_NUM', 'ORIGIN', 'DEST'] as const;
const keyOf = (flight: Flight) => KEY.map((name) => flight[name]).join(' ');
const monthOf = (flight: Flight) => (flight['FL_DATE'] ?? '').slice(0, 7);

/** All flights of two months: three airlines, each with a daily flight on eight routes. */
const WORLD = MONTHS.flatMap((month) =>
  Array.from({ length: 28 }, (_, day) =>
    ['AA', 'DL', 'WN'].flatMap((carrier) =>
      ['SEA', 'JFK', 'ORD', 'ATL'].flatMap((origin, at) =>
        ['BOS', 'LAX'].map((dest, other) =>
          aFlight({
            FL_DATE: `${month}-${String(day + 1).padStart(2, '0')}`,
            OP_UNIQUE_CARRIER: carrier,
            OP_CARRIER_FL_NUM: String(10 * at + other + 1),
            ORIGIN: origin,
            DEST: dest,
          }),
        ),
      ),
    ),
  ).flat(),
);

/** Returns a random number from 0 to `below` - 1. */
type Pick = (below: number) => number;

/** The kinds of files that people load: wholes, parts, samples, repeats and revisions. */
const FILES: Record<string, (pick: Pick) => Flight[]> = {
  whole: () => WORLD,
  'one month': (pick) => WORLD.filter((flight) => monthOf(flight) === MONTHS[pick(2)]),
  region: (pick) => WORLD.filter(({ ORIGIN }) => ORIGIN === ['SEA', 'JFK', 'ORD', 'ATL'][pick(4)]),
  'two airlines': (pick) =>
    WORLD.filter(({ OP_UNIQUE_CARRIER }) => OP_UNIQUE_CARRIER !== ['AA', 'DL', 'WN'][pick(3)]),
  week: (pick) => {
    const first = pick(21);
    return WORLD.filter(({ FL_DATE = '' }) => {
      const day = Number(FL_DATE.slice(8));
      return day > first && day <= first + 7;
    });
  },
  sample: (pick) => WORLD.filter(() => pick(12) === 0),
  'itself twice': () => [...WORLD, ...WORLD],
  'a part again': (pick) => {
    const from = pick(WORLD.length);
    return [...WORLD, ...WORLD.slice(from, from + 100)];
  },
  'cut short': (pick) => WORLD.slice(0, WORLD.length / 2 + pick(WORLD.length / 2)),
  'revision without a few flights': (pick) => WORLD.filter(() => pick(1_000) !== 0),
};

/** Counts the flights of a month in the lake by their key. */
async function lakeKeys(lakeDir: string, month: string): Promise<string[]> {
  const columns =
    'flight_date as "FL_DATE", carrier as "OP_UNIQUE_CARRIER", flight_number as "OP_CARRIER_FL_NUM", origin as "ORIGIN", dest as "DEST"';
  const rows = await lakeRows(lakeDir, month, 'flights', columns);
  return rows.map((row) => keyOf(row as Flight)).toSorted();
}

/** Counts flights by airline, airport and day, without the number and destination that a key also contains. */
function countGroups(keys: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) {
    const [day, carrier, , origin] = key.split(' ');
    const group = `${day} ${carrier} ${origin}`;
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return counts;
}

/** Returns the number of flights that groups lost. A group that gained flights does not offset a loss. */
function countLost(before: string[], after: string[]): number {
  const remaining = countGroups(after);
  return [...countGroups(before)].reduce(
    (lost, [group, flights]) => lost + Math.max(0, flights - (remaining.get(group) ?? 0)),
    0,
  );
}

for (let seed = 1; seed <= ROUNDS; seed += 1) {
  test(`parts, wholes, samples and repeats in random order ${seed}: each flight counts once, or its loss is reported`, async (t) => {
    const { below: pick } = randomFrom(`order ${seed}`);
    const lakeDir = await aFolder(t);
    const deps = createExtractDeps({ lakeDir, codeVersion: 'test', now: () => NOW });
    for (let load = 0; load < LOADS; load += 1) {
      const kind = Object.keys(FILES)[pick(Object.keys(FILES).length)] ?? '';
      const flights = FILES[kind]?.(pick) ?? [];
      const before = await Promise.all(MONTHS.map((month) => lakeKeys(lakeDir, month)));
      const file = await aFile(t, toCsv(flights), `${load}.csv`);
      const { months } = await extractFile({ path: file }, deps, () => undefined);
      for (const [at, month] of MONTHS.entries()) {
        const what = `load ${load}, ${kind}, ${month}`;
        const report = months.find((one) => one.month === month);
        const after = await lakeKeys(lakeDir, month);
        const keys = flights.filter((one) => monthOf(one) === month).map(keyOf);
        if (report?.outcome === 'written') {
          t.deepEqual(after, [...new Set(keys)].toSorted(), what);
          t.is(report.rejects['duplicate_flight'] ?? 0, keys.length - new Set(keys).size, what);
        } else t.deepEqual(after, before[at], what);
        const lost = countLost(before[at] ?? [], after);
        t.true(lost <= 10, `${what}: ${lost} flights are lost`);
        t.is(report?.outcome === 'written' ? (report.losses?.flights ?? 0) : 0, lost, what);
      }
    }
  });
}
