import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { dayValues } from '../../../pipelines/weather/day-values.ts';
import { isObservations, parseObservations } from '../../../pipelines/weather/observations.ts';

const HEADER =
  'origin,year,month,day,hour,temp,dewp,humid,wind_dir,wind_speed,wind_gust,precip,pressure,visib,time_hour';

const file = (...lines: string[]) => [HEADER, ...lines, ''].join('\n');

async function readSample(name: string): Promise<string> {
  return gunzipSync(await readFile(`../shared/data/weather/${name}`)).toString();
}

test('Fahrenheit, miles, inches and UTC are converted; time_hour and gusts are ignored', (t) => {
  const text = file('JFK,2017,1,2,5,50,40,70,200,10,99,0.1,1010,2,2017-01-02T13:00:00Z');
  t.deepEqual(parseObservations('x.csv', text).get('JFK'), [
    {
      at: Date.UTC(2017, 0, 2, 5),
      tempC: 10,
      windKmh: 16.09344,
      precipMm: 2.54,
      visibilityM: 3218.688,
      snowfallCm: 0,
    },
  ]);
});

test('synonyms of columns and the ICAO codes of U.S. airports are accepted', (t) => {
  const header = 'Station,year,month,day,hour,tmpf,wind,p01i,vsby';
  const text = `${header}\nKSEA,2017,1,2,5,50,10,0.1,2\n`;
  const [hour] = parseObservations('x.csv', text).get('SEA') ?? [];
  t.like(hour, { tempC: 10, windKmh: 16.09344, precipMm: 2.54 });
});

test('numbers written with a decimal point are read as whole numbers', async (t) => {
  const [header = '', ...lines] = (await readSample('nyc_2017_hourly.csv.gz'))
    .split('\n')
    .slice(0, 500);
  const decimalLines = lines.map((line) =>
    line.replace(/,(\d+),(\d+),(\d+),(\d+),/, ',$1.0,$2.0,$3.0,$4.0,'),
  );
  t.regex(decimalLines[0] ?? '', /^EWR,2017\.0,1\.0,1\.0,0\.0,/);
  t.deepEqual(
    parseObservations('pointed', [header, ...decimalLines].join('\n')),
    parseObservations('plain', [header, ...lines].join('\n')),
  );
  for (const year of ['2017.5', '2017.01', '-2017.0', '.0', 'NA', '']) {
    const text = file(`JFK,${year},1,2,5,NA,,,,5,,0,,10,x`);
    t.throws(() => parseObservations('x.csv', text), { instanceOf: SourceFormatError }, year);
  }
});

test('NA, empty and impossible values are unknown', (t) => {
  const text = file('"JFK",2017,1,2,5,NA,,70,200,1048,99,-1,1010,NA,x');
  const [hour] = parseObservations('x.csv', text).get('JFK') ?? [];
  t.deepEqual(
    Object.values(hour ?? {}).filter((value) => value !== undefined),
    [Date.UTC(2017, 0, 2, 5)],
  );
});

test('precipitation in frost is snow; a dry or warm hour has no snow', (t) => {
  const snow = (temp: string, precip: string) => {
    const text = file(`JFK,2017,1,2,5,${temp},,,,5,,${precip},,10,x`);
    return parseObservations('x.csv', text).get('JFK')?.[0]?.snowfallCm;
  };
  t.is(snow('32', '0.1'), 2.54);
  t.is(snow('50', '0.1'), 0);
  t.is(snow('50', 'NA'), 0);
  t.is(snow('NA', '0'), 0);
  t.is(snow('NA', '0.1'), undefined);
  t.is(snow('20', 'NA'), undefined);
});

test('a file without the columns, or a line without airport or hour, is refused', (t) => {
  t.true(isObservations(HEADER));
  t.false(isObservations('origin,dest'));
  const refuses = (text: string, message: RegExp) =>
    t.throws(() => parseObservations('x.csv', text), { instanceOf: SourceFormatError, message });
  refuses(
    'origin,year\n',
    /missing month, day, hour, temp or temperature or tmpf, wind_speed or wind or wspd, precip or /,
  );
  refuses(file('JFK,2017,2,30,5,NA,,,,5,,0,,10,x'), /line 2 has no valid airport or hour$/);
  refuses(file('JFK,2017,2,3,24,NA,,,,5,,0,,10,x'), /line 2/);
});

test('a day of real observations matches a calculation by hand', async (t) => {
  const hours = parseObservations('pnw', await readSample('pnw_2023_hourly.csv.gz'));
  t.deepEqual([hours.size, hours.get('PDX')?.length, hours.get('SEA')?.length], [2, 8_735, 8_733]);
  const days = dayValues(hours.get('PDX') ?? [], 'America/Los_Angeles');
  // Portland's snowstorm; the gauge catches little snow, so the value is low.
  const storm = days.find(({ date }) => date === '2023-02-22');
  t.deepEqual(storm, {
    ...{ date: '2023-02-22', tempMeanC: 1.31, windMaxKmh: 42.6 },
    ...{ precipMaxMm: 0.25, snowfallCm: 1.53, visibilityMinM: 402.34, coldMistHours: 9 },
  });
  t.is(days.length, 363);
});

test('New York’s file of 2017 has wind and visibility, and hardly any rain', async (t) => {
  const hours = parseObservations('nyc', await readSample('nyc_2017_hourly.csv.gz'));
  t.deepEqual([...hours.keys()].toSorted(), ['EWR', 'JFK', 'LGA']);
  const days = dayValues(hours.get('JFK') ?? [], 'America/New_York');
  t.true(days.filter(({ visibilityMinM }) => visibilityMinM !== undefined).length > 350);
  t.true(days.filter(({ precipMaxMm }) => precipMaxMm !== undefined).length < 10);
});
