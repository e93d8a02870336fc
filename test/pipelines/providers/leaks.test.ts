import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { PROVIDERS } from '../../../pipelines/providers/index.ts';
import { knowledgeAsOf } from '../../../warehouse/build/as-of.ts';
import { HistoryMissingError } from '../../../warehouse/errors.ts';
import { sha256 } from '../../../warehouse/ground/hashes.ts';
import { providerLakeDir } from '../../../warehouse/paths.ts';
import { aFile, aFlight, extractToLake, REAL_FLIGHTS, toCsv } from '../../helpers/flight-files.ts';

/** Flights of a provider, and the day of a forecast, `YYYY-MM-DD`. */
type Sample = {
  cut: string;
  /** Returns the lines of each file. The lines of a CSV file include its header. */
  files: () => Promise<string[][]>;
  /** Returns the first day after the period of a line. The period is a day, a month or a year. */
  knownFrom: (line: string) => string;
  /** Whether the sample uses the line. Samples leave out lines to be fast. */
  isUsed?: (line: string) => boolean;
};

const CAA_YEAR = 'Annual_Punctuality_Statistics_Full_Analysis_Arrival_Departure.csv.gz';
const WORLD = path.join(REAL_FLIGHTS, '../world');

const linesOf = async (name: string) => {
  const bytes = gunzipSync(await readFile(path.join(WORLD, name)));
  // One character per byte, so that no encoding changes.
  return bytes.toString('latin1').split(/\r?\n/).filter(Boolean);
};
const real = (name: string) => async () => [await linesOf(name)];
const nextDay = (day: string) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
const nextMonth = (year: number, month: number) =>
  new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
/** Converts `05.03.2017` or `05/03/2017 10:00`. */
const isoDay = (text: string) => text.slice(0, 10).split(/[./]/).toReversed().join('-');

const DAYS = Array.from({ length: 40 }, (_, at) =>
  new Date(Date.UTC(2018, 4, 1 + at)).toISOString().slice(0, 10),
);

const OWN_FLIGHTS = DAYS.map((day, at) => ({
  flight_date: day,
  airline: 'AF',
  flight: '1681',
  origin: 'LHR',
  dest: 'CDG',
  scheduled_arrival: '10:35',
  actual_arrival: at % 3 === 0 ? '11:40' : '10:35',
}));

const BTS_FLIGHTS = DAYS.map((day, at) =>
  aFlight({ FL_DATE: day, ARR_DELAY: at % 3 === 0 ? '65' : '0', DEP_DELAY: '0' }),
);

const SAMPLES: Record<string, Sample> = {
  bts: {
    cut: '2018-06-04',
    files: async () => [toCsv(BTS_FLIGHTS).split(/\r?\n/).filter(Boolean)],
    knownFrom: (line) => nextDay(/2018-\d\d-\d\d/.exec(line)?.[0] ?? ''),
  },
  hkia: {
    cut: '2025-11-05',
    files: real('hkia_past_2025-10-16_2025-12-31.ndjson.gz'),
    knownFrom: (line) => nextDay(line.slice(20, 30)),
    isUsed: (line) => line.slice(20, 30) > '2025-10-24' && line.slice(20, 30) < '2025-11-12',
  },
  zrh: {
    cut: '2017-02-04',
    files: real('zrh_2017_flights.csv.gz'),
    knownFrom: (line) => nextDay(isoDay(line)),
    isUsed: (line) => /^\d\d\.0[12]\.2017,LX/.test(line),
  },
  bitre: {
    cut: '2020-05-01',
    files: real('bitre_otp_time_series_web_2020-01_2023-12.csv.gz'),
    knownFrom: (line) => {
      const [year, month] = line.split(',').slice(-2).map(Number) as [number, number];
      return nextMonth(year, month);
    },
    isUsed: (line) => line.split(',').at(-2) === '2020' && line.includes('Jetstar'),
  },
  caa: {
    cut: '2019-07-01',
    files: async () => [
      await linesOf(`caa_2018_${CAA_YEAR}`),
      await linesOf(`caa_2019_${CAA_YEAR}`),
    ],
    knownFrom: (line) => {
      const period = line.split(',')[1] ?? '';
      return nextMonth(Number(period.slice(0, 4)), Number(period.slice(4) || 12));
    },
    isUsed: (line) => line.includes('EASYJET') || line.includes('BRITISH AIRWAYS'),
  },
  aqst: {
    cut: '2019-02-01',
    files: real('aqst_avion_par_compagnie_2018-10_2019-09.csv.gz'),
    knownFrom: (line) => {
      const [, month, year] = line.split(',').map(Number) as [number, number, number];
      return nextMonth(year, month);
    },
    isUsed: (line) => line.includes('AIR FRANCE'),
  },
  anac: {
    cut: '2021-03-15',
    files: real('VRA_2021_03.csv.gz'),
    knownFrom: (line) => nextDay(isoDay(line.split(';')[5] ?? '')),
    isUsed: (line) => /^(AZU|GLO|TAM)\b/.test(line) && /^\d\d\//.test(line.split(';')[5] ?? ''),
  },
  own: {
    cut: '2018-06-04',
    files: async () => [toCsv(OWN_FLIGHTS).split(/\r?\n/).filter(Boolean)],
    knownFrom: (line) => nextDay(line.slice(0, 10)),
  },
};

test('every provider has a sample', (t) => {
  t.deepEqual(Object.keys(SAMPLES).toSorted(), PROVIDERS.map(({ name }) => name).toSorted());
});

for (const [provider, sample] of Object.entries(SAMPLES)) {
  test.serial(`${provider}: a forecast uses no flight of its day or later`, async (t) => {
    const { cut, knownFrom } = sample;
    const whole = await knownOn(t, provider, sample, () => true);
    t.true((whole.months ?? []).length > 0);
    t.deepEqual(whole, await knownOn(t, provider, sample, (line) => knownFrom(line) <= cut));
    // The comparison notices a missing line.
    const last = await lastKnown(sample);
    t.notDeepEqual(whole, await knownOn(t, provider, sample, (line) => knownFrom(line) < last));
  });
}

/**
 * Returns hashes of everything that a forecast on the sample's day uses. The files have only the lines that `isKept`
 * accepts.
 */
async function knownOn(
  t: ExecutionContext,
  provider: string,
  { files, cut, isUsed = () => true }: Sample,
  isKept: (line: string) => boolean,
) {
  let lakeDir: string | undefined;
  for (const lines of await files()) {
    const isCsv = !lines[0]?.startsWith('{');
    const header = isCsv ? lines.slice(0, 1) : [];
    const rows = lines.slice(header.length).filter((line) => isUsed(line) && isKept(line));
    if (rows.length === 0) continue;
    const text = Buffer.from(`${[...header, ...rows].join('\n')}\n`, 'latin1');
    const file = await aFile(t, text, isCsv ? 'flights.csv' : 'flights.ndjson');
    ({ lakeDir } = await extractToLake(t, file, lakeDir === undefined ? {} : { lakeDir }));
  }
  const lakes = [providerLakeDir(lakeDir ?? '', provider)];
  const known = await knowledgeAsOf(lakes, cut).catch((error: unknown) => {
    if (error instanceof HistoryMissingError) return undefined;
    throw error;
  });
  const columns = Object.entries(known?.training.columns ?? {});
  return {
    columns: sha256(JSON.stringify(columns.map(([name, values]) => [name, ...values]))),
    months: known?.training.months,
    files: [...(known?.store.files ?? [])].map(([name, bytes]) => [name, sha256(bytes)]),
  };
}

/** Returns the newest day on which a line became known, up to the day of the forecast. */
async function lastKnown({ files, cut, knownFrom, isUsed = () => true }: Sample): Promise<string> {
  const lines = (await files()).flatMap((one) => (one[0]?.startsWith('{') ? one : one.slice(1)));
  const days = lines.filter(isUsed).map(knownFrom);
  return (
    days
      .filter((day) => day <= cut)
      .toSorted()
      .at(-1) ?? ''
  );
}
