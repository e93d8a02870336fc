import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { save, sealedParameters } from '../../../../jobs/cli/fit/save-weather.ts';
import { weatherFlights } from '../../../../jobs/cli/fit/weather-days.ts';
import {
  HAZARD_RANGES,
  upliftTable,
  WEATHER_SPLITS,
  weatherFolds,
} from '../../../../jobs/cli/fit/weather.ts';
import { compare } from '../../../../jobs/cli/fit/report.ts';
import { fitHazards, type WeatherFlights } from '../../../../models/train/weather-risk.ts';
import { openDatabase } from '../../../../warehouse/connect.ts';
import { expit } from '../../../../warehouse/ground/log-odds.ts';
import { fileSha256, sha256 } from '../../../../warehouse/ground/sha256.ts';
import { startCommand } from '../../helpers/command.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

const FIT = fileURLToPath(new URL('../../../../jobs/cli/fit/main.ts', import.meta.url));

const SOURCES = [
  { name: 'nyc_2017', flights: 'nyc_2017', year: 2017, airport: 'JFK' },
  { name: 'pnw_2023', flights: 'pnw_2023_01-10', year: 2023, airport: 'SEA' },
];

/** Miles an hour: a storm on every third day, at an hour of UTC that is in the same day at both airports. */
const windOf = (day: number, hour: number) => (day % 3 === 0 && hour === 20 ? 50 : 5);

/**
 * The public data in small: six days of each month from January to October at two airports, forty flights on each, four
 * of them late, in a storm twenty; and a day without weather.
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

test('flights are put beside the weather of their day, and kept with where they come from, sealed', async (t) => {
  const folder = await someData(t);
  const days = await weatherFlights(folder);
  t.is(days.length, SOURCES.length * 10 * 6);
  const [storm] = days.filter(({ date }) => date === '2023-10-03');
  t.like(storm, { airport: 'SEA', completed: 40, delayed: 20 });
  t.is(storm?.readings.windMaxKmh, 80.47);
  const hazards = fitHazards(days, [...HAZARD_RANGES]);
  // From four late in forty to twenty: nine times the odds.
  t.true(Math.abs((hazards[0]?.logOdds ?? 0) - Math.log(9)) < 0.2, String(hazards[0]?.logOdds));

  const file = path.join(folder, 'kept/weather-risk.json');
  await save(file, await sealedParameters(hazards, days, folder));
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
  t.regex(printed.out(), /│ believed by 0\.5 +│ -\d+\.\d\d \(2\/2\) +│ -\d+\.\d\d \(3\/3\)/);
  t.regex(printed.out(), /│ 0\.72–1\.00 │ +40 │ +1600 │ 50\.0 % +│/);
  t.regex(printed.out(), /│ precipitation +│ +0 │ +10 │ 0\.50 +│ set by hand +│/);
  t.notRegex(printed.out(), /written to/);
});

/** Days of two months, each second one with a storm that doubles the odds. */
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

test('what is fitted on some months or one region is tried on days it has not seen', (t) => {
  const days = [...stormyDays(2017, 'JFK'), ...stormyDays(2023, 'SEA')];
  const held = WEATHER_SPLITS.map((split) => weatherFolds(days, split).map(({ month }) => month));
  t.deepEqual(held, [
    ['JFK2017-09'],
    ['SEA2023-09'],
    ['JFK2017-09', 'SEA2023-09'],
    ['SEA2023-01', 'SEA2023-09'],
    ['JFK2017-01', 'JFK2017-09'],
  ]);
  for (const split of WEATHER_SPLITS) {
    const outcomes = compare(weatherFolds(days, split), 'none');
    const best = outcomes.toSorted((a, b) => a.lossDifference - b.lossDifference)[0];
    t.is(best?.candidate, 'believed by 1', split.name);
  }
});

test('days are told in bands of what their weather adds', (t) => {
  const days = stormyDays(2017, 'JFK');
  const [calm, ...bands] = upliftTable(days, fitHazards(days, [...HAZARD_RANGES]));
  t.like(calm, { from: 0, days: 20, completed: 20_000 });
  t.is(calm?.rate.toFixed(4), expit(-2).toFixed(4));
  const [storms, ...others] = bands.filter(({ days }) => days > 0);
  t.like(storms, { from: 0.5, until: 0.75, days: 20 });
  t.deepEqual(others, []);
});
