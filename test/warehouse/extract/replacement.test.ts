import { writeFile } from 'node:fs/promises';
import test from 'ava';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { readLakeExtent } from '../../../warehouse/extract/replacement.ts';
import { lakeFilePath, readManifest } from '../../../warehouse/lake/lake.ts';
import { unitLock } from '../../../jobs/wiring/lake-home.ts';
import { unitOf } from '../../../warehouse/lake/shared/units.ts';
import { aFile, aFlight, aFolder, extractToLake, NOW, toCsv } from '../../helpers/flight-files.ts';

/** January in Seattle: two airlines, each with one flight to Boston on each of 31 days. */
const SEATTLE = Array.from({ length: 62 }, (_, n) =>
  aFlight({
    FL_DATE: `2015-01-${String(Math.floor(n / 2) + 1).padStart(2, '0')}`,
    OP_UNIQUE_CARRIER: n % 2 === 0 ? 'AS' : 'DL',
    ORIGIN: 'SEA',
    DEST: 'BOS',
  }),
);

/** Four days of the whole country, including Seattle. */
const FOUR_DAYS = Array.from({ length: 200 }, (_, n) =>
  aFlight({
    FL_DATE: `2015-01-0${(n % 4) + 1}`,
    OP_CARRIER_FL_NUM: String(n),
    OP_UNIQUE_CARRIER: n % 2 === 0 ? 'AS' : 'DL',
    ORIGIN: ['SEA', 'JFK', 'ORD', 'ATL', 'DFW'][n % 5] ?? '',
    DEST: 'BOS',
  }),
);

test('four days of the country do not replace a whole month of Seattle, and the refusal has the extent of both', async (t) => {
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(SEATTLE), 'seattle.csv'));
  const { report } = await extractToLake(t, await aFile(t, toCsv(FOUR_DAYS), 'days.csv'), {
    lakeDir,
  });

  const form = 'bts_short';
  t.like(report.months[0], {
    outcome: 'refused',
    why: "it lacks days with 87 % of the lake's flights (it has 4, the lake 31); counted by airline, airport and day, 58 of the lake's 62 flights (94 %) are missing, mainly AS at SEA 31 → 20, DL at SEA 31 → 20; to keep the flights of both files, load them in one command with TOGETHER=1; FORCE=1 replaces the month anyway",
    replaced: {
      before: {
        source: 'seattle.csv',
        form,
        rows: 62,
        flights: 62,
        days: 31,
        airports: 1,
        airlines: 2,
      },
      after: {
        source: 'days.csv',
        form,
        rows: 200,
        flights: 200,
        days: 4,
        airports: 5,
        airlines: 2,
      },
    },
  });
  t.is((await readManifest(lakeDir, '2015-01'))?.source.name, 'seattle.csv');
  t.like(await readLakeExtent(lakeDir, { month: '2015-01', tree: 'flights' }), { days: 31 });
});

test('a month of another airport does not replace a month, even if it is larger', async (t) => {
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(SEATTLE)));
  const boston = SEATTLE.flatMap((flight) => [
    { ...flight, ORIGIN: 'BOS', DEST: 'SEA' },
    { ...flight, ORIGIN: 'BOS', DEST: 'JFK' },
  ]);
  const { report } = await extractToLake(t, await aFile(t, toCsv(boston)), { lakeDir });
  t.is(
    report.months[0]?.why,
    "it lacks airports with 100 % of the lake's flights (it has 1, the lake 1); counted by airline, airport and day, 62 of the lake's 62 flights (100 %) are missing, mainly AS at SEA 31 → 0, DL at SEA 31 → 0; to keep the flights of both files, load them in one command with TOGETHER=1; FORCE=1 replaces the month anyway",
  );
});

test('a missing airline is a reason to refuse if it has many flights, but not if it has few', async (t) => {
  const months = Array.from({ length: 11_000 }, (_, n) =>
    aFlight({
      ...SEATTLE[n % 62],
      OP_UNIQUE_CARRIER: n < 1_000 ? 'WN' : n < 1_050 ? 'HA' : 'AS',
      OP_CARRIER_FL_NUM: String(n),
    }),
  );
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(months)));
  const { report } = await extractToLake(t, await aFile(t, toCsv(months.slice(1_000))), {
    lakeDir,
  });
  t.is(
    report.months[0]?.why,
    "it has no flights of WN (1000 in the lake); counted by airline, airport and day, 1000 of the lake's 11000 flights (9.1 %) are missing, mainly WN at SEA 1000 → 0; FORCE=1 replaces the month anyway",
  );
  const noHawaiian = months.filter((flight) => flight['OP_UNIQUE_CARRIER'] !== 'HA');
  const { report: other } = await extractToLake(t, await aFile(t, toCsv(noHawaiian)), { lakeDir });
  t.is(other.months[0]?.outcome, 'written');
});

test('a correction replaces the month and reports the replaced source', async (t) => {
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(SEATTLE), 'first.csv'));
  const lateFlights = SEATTLE.map((flight) => ({ ...flight, ARR_DELAY: '31.00' }));
  const { report } = await extractToLake(t, await aFile(t, toCsv(lateFlights), 'second.csv'), {
    lakeDir,
  });
  t.like(report.months[0], { outcome: 'written', replaced: { before: { source: 'first.csv' } } });
});

test('departures without hours do not replace flights with hours', async (t) => {
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(SEATTLE)));
  const departures = SEATTLE.map(({ FL_DATE = '', ORIGIN = '', DEST = '' }) => ({
    FlightDate: FL_DATE,
    Airline: 'Alaska Airlines Inc.',
    Origin: ORIGIN,
    Dest: DEST,
    DepDelay: '0',
  }));
  const departuresOfBoth = departures.flatMap((row) => [
    row,
    { ...row, Airline: 'Delta Air Lines Inc.' },
  ]);
  const { report } = await extractToLake(t, await aFile(t, toCsv(departuresOfBoth)), { lakeDir });
  t.is(
    report.months[0]?.why,
    'fewer of its flights have a departure hour; fewer of its flights have an arrival delay; FORCE=1 replaces the month anyway',
  );
});

test('of two concurrent extracts of a month, the second is compared with the first', async (t) => {
  const lakeDir = await aFolder(t);
  const deps = createExtractDeps({
    lakeDir,
    codeVersion: 'test',
    now: () => NOW,
    withMonthLock: (ref, work) => unitLock({ lakeDir })(unitOf(ref), work),
  });
  const [one, other] = [
    await aFile(t, toCsv(SEATTLE), 'one.csv'),
    await aFile(t, toCsv(FOUR_DAYS), 'other.csv'),
  ];
  const reports = await Promise.all(
    [one, other].map((path) => extractFile({ path, force: true }, deps, () => undefined)),
  );
  const replaced = reports.flatMap(({ months }) => months.flatMap((month) => month.replaced ?? []));
  const current = await readManifest(lakeDir, '2015-01');
  t.is(replaced.length, 1);
  t.is(replaced[0]?.after.source, current?.source.name);
  t.not(replaced[0]?.before.source, current?.source.name);
});

test('a damaged month can be replaced by any file', async (t) => {
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(SEATTLE)));
  const manifest = await readManifest(lakeDir, '2015-01');
  await writeFile(lakeFilePath(lakeDir, '2015-01', manifest!.files.routeHours), 'x');
  const { report } = await extractToLake(t, await aFile(t, toCsv(FOUR_DAYS)), { lakeDir });
  t.is(report.months[0]?.outcome, 'written');
});
