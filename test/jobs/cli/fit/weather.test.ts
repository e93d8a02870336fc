import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { saveText, sealParameters } from '../../../../jobs/cli/fit/save-weather.ts';
import { weatherFlights } from '../../../../jobs/cli/fit/weather-days.ts';
import {
  HAZARD_RANGES,
  upliftTable,
  WEATHER_SPLITS,
  weatherFolds,
} from '../../../../jobs/cli/fit/weather.ts';
import { compareCandidates } from '../../../../jobs/cli/fit/report.ts';
import { fitHazards, type WeatherFlights } from '../../../../models/train/weather-risk.ts';
import { openDatabase } from '../../../../warehouse/connect.ts';
import { expit } from '../../../../warehouse/ground/log-odds.ts';
import { fileSha256, sha256 } from '../../../../warehouse/ground/hashes.ts';
import { startCommand } from '../../helpers/command.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

const FIT = fileURLToPath(new URL('../../../../jobs/cli/fit/main.ts', import.meta.url));

const SOURCES = [
  { name: 'nyc_2017', flights: 'nyc_2017', year: 2017, airport: 'JFK' },
  { name: 'pnw_2023', flights: 'pnw_2023_01-10', year: 2023, airport: 'SEA' },
];

/** Wind in miles per hour: a storm on every third day, at a UTC hour that is on the same local day at both airports. */
const windOf = (day: number, hour: number) => (day % 3 === 0 && hour === 20 ? 50 : 5);

/**
 * Writes a small version of the public data: six days of each month from January to October at two airports, with forty
 * flights a day. On a day with a storm, twenty of the forty flights are late, otherwise four. One more day of flights
 * has no weather.
 */
async function someData(t: ExecutionContext): Promise<string> {
  const folder = await tempDir(t);
  await mkdir(path.join(folder, 'flights'));
  await mkdir(path.join(folder, 'weather'));
  const db = await openDatabase({ threads: 1 });
  for (const { name, flights, year, airport } of SOURCES) {
    const lines = ['origin,year,month,day,hour,temp,wind_speed,precip,visib'];
    for (let month = 1; month <= 10; month++) {
      for (let at = 24; at < 24 * 8; at++) {
        const [day, hour] = [Math.floor(at / 24), at % 24];
        lines.push([airport, year, month, day, hour, 50, windOf(day, hour), 0, 10].join(','));
      }
    }
    const hours = path.join(folder, `weather/${name}_hourly.csv.gz`);
    await writeFile(hours, gzipSync(`${lines.join('\n')}\n`));
    await db.run(
      `copy (
         select '${airport}' as origin, ${year} as year, month, day,
           case when nth <= if(day % 3 = 0, 20, 4) then 45.0 else 0.0 end as arr_delay
         from range(1, 11) as months(month), range(1, 7) as days(day), range(1, 41) as flights(nth)
         union all
         select '${airport}', ${year}, 11, 1, 90.0
       ) to $file (format parquet)`,
      { file: path.join(folder, `flights/${flights}.parquet`) },
    );
  }
  db.close();
  return folder;
}

test('flights are matched with the weather of their day, and the fit is saved with provenance and a seal', async (t) => {
  const folder = await someData(t);
  const days = await weatherFlights(folder);
  t.is(days.length, SOURCES.length * 10 * 6);
  const [storm] = days.filter(({ date }) => date === '2023-10-03');
  t.like(storm, { airport: 'SEA', completed: 40, delayed: 20 });
  t.is(storm?.readings.windMaxKmh, 80.47);
  const hazards = fitHazards(days, [...HAZARD_RANGES]);
  // With twenty late flights in forty, instead of four, the odds are nine times as high.
  t.true(Math.abs((hazards[0]?.logOdds ?? 0) - Math.log(9)) < 0.2, String(hazards[0]?.logOdds));

  const file = path.join(folder, 'saved/weather-risk.json');
  await saveText(file, await sealParameters(hazards, days, folder));
  const { seal, ...content } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  t.is(seal, sha256(JSON.stringify(content)));
  const { sources, ...provenance } = content['provenance'] as { sources: object[] };
  t.like(provenance, {
    airportDays: 120,
    flights: 120 * 40,
    setByHand: ['precipitation', 'snow'],
  });
  const first = 'flights/nyc_2017.parquet';
  t.deepEqual(sources[0], { file: first, sha256: await fileSha256(path.join(folder, first)) });
  t.is(sources.length, 4);

  const printed = startCommand(t, ['weather', folder], {}, FIT);
  t.is(await printed.end, 0, printed.err());
  t.regex(printed.out(), /│ share 0\.5 +│ -\d+\.\d\d \(2\/2\) +│ -\d+\.\d\d \(3\/3\)/);
  t.regex(printed.out(), /│ 0\.72–1\.00 │ +40 │ +1600 │ 50\.0 % +│/);
  t.regex(printed.out(), /│ precipitation +│ +0 │ +10 │ 0\.50 +│ set by hand +│/);
  t.notRegex(printed.out(), /written to/);
});

/** Days of two months; every second day has a storm that doubles the odds. */
function stormyDays(year: number, airport: string): WeatherFlights[] {
  return ['01', '09'].flatMap((month) =>
    Array.from({ length: 20 }, (_, at) => ({
      airport,
      date: `${year}-${month}-${String(at + 1).padStart(2, '0')}`,
      completed: 1_000,
      delayed: 1_000 * expit(-2 + (at % 2) * Math.LN2),
      readings: { windMaxKmh: at % 2 === 0 ? 0 : 70 },
    })),
  );
}

test('a fit on some months or one region is tested on unseen days', (t) => {
  const days = [...stormyDays(2017, 'JFK'), ...stormyDays(2023, 'SEA')];
  const testMonths = WEATHER_SPLITS.map((split) =>
    weatherFolds(days, split).map(({ month }) => month),
  );
  t.deepEqual(testMonths, [
    ['JFK2017-09'],
    ['SEA2023-09'],
    ['JFK2017-09', 'SEA2023-09'],
    ['SEA2023-01', 'SEA2023-09'],
    ['JFK2017-01', 'JFK2017-09'],
  ]);
  for (const split of WEATHER_SPLITS) {
    const outcomes = compareCandidates(weatherFolds(days, split), 'no weather');
    const best = outcomes.toSorted((a, b) => a.lossDifference - b.lossDifference)[0];
    t.is(best?.candidate, 'share 1', split.name);
  }
});

test('days are counted in bands of the log-odds that their weather adds', (t) => {
  const days = stormyDays(2017, 'JFK');
  const [calm, ...bands] = upliftTable(days, fitHazards(days, [...HAZARD_RANGES]));
  t.like(calm, { from: 0, days: 20, completed: 20_000 });
  t.is(calm?.rate.toFixed(4), expit(-2).toFixed(4));
  const [storms, ...otherBands] = bands.filter(({ days }) => days > 0);
  t.like(storms, { from: 0.5, until: 0.75, days: 20 });
  t.deepEqual(otherBands, []);
});
