import { readFile } from 'node:fs/promises';
import test from 'ava';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import {
  archiveUrl,
  callWeight,
  forecastUrl,
  isForecastDay,
} from '../../../pipelines/weather/open-meteo-request.ts';
import { parseOpenMeteo } from '../../../pipelines/weather/open-meteo.ts';
import type { WeatherPlace } from '../../../pipelines/weather/types.ts';
import { buildForecast, JFK, LAX } from '../../../bench/stage/forecasts.ts';
import { errorWithLittleMemory } from '../../helpers/little-memory.ts';

const MEL = place('MEL', -37.67, 144.84, 'Australia/Melbourne');
const ADL = place('ADL', -34.94, 138.53, 'Australia/Adelaide');
const EWR = place('EWR', 40.69, -74.17, 'America/New_York');

function place(airport: string, latitude: number, longitude: number, timeZone: string) {
  return { airport, latitude, longitude, timeZone } satisfies WeatherPlace;
}

async function sample(name: string): Promise<string> {
  return readFile(`../shared/data/weather_api/openmeteo_${name}.json`, 'utf8');
}

test('the Melbourne sample, in GMT, gives local days of Melbourne', async (t) => {
  const [days = []] = parseOpenMeteo(await sample('forecast_melbourne_2025-05'), [MEL]);
  t.deepEqual(
    days.map(({ date }) => date),
    // The first day has 14 hours and the last 10: too few for a day.
    ['2025-05-10', '2025-05-11', '2025-05-12', '2025-05-13', '2025-05-14', '2025-05-15'],
  );
  const [, second, third, , fifth] = days;
  t.deepEqual(second, {
    ...{ date: '2025-05-11', tempMeanC: 15.77 },
    ...{ windMaxKmh: 13, gustMaxKmh: 32.4, precipMaxMm: 0 },
  });
  t.like(third, { date: '2025-05-12', tempMeanC: 15.78, windMaxKmh: 9.1, gustMaxKmh: 23.4 });
  t.like(fifth, { date: '2025-05-14', windMaxKmh: 11.9, gustMaxKmh: 26.6, precipMaxMm: 0.1 });
});

test('the New Jersey sample also has snowfall and weather codes', async (t) => {
  const [days = []] = parseOpenMeteo(await sample('hourly_forecast_newjersey'), [EWR]);
  t.is(days.length, 14);
  const first = days[0];
  t.like(first, {
    ...{ date: '2025-12-29', tempMeanC: 1.8, windMaxKmh: 32, gustMaxKmh: 74.9 },
    ...{ precipMaxMm: 1.47, snowfallCm: 0 },
  });
  t.is(typeof first?.weatherCode, 'number');
});

test('the Adelaide sample has its wind in metres per second, and is refused', async (t) => {
  const text = await sample('archive_adelaide');
  t.throws(() => parseOpenMeteo(text, [ADL]), {
    instanceOf: SourceFormatError,
    message: /wind_speed_10m is in "m\/s", expected km\/h$/,
  });
  // The times in the sample are an hour off. It was requested in the southern winter, so its hours in January (summer
  // in Adelaide) have the UTC offset of winter.
  const { hourly, ...rest } = JSON.parse(text) as { hourly: Record<string, unknown> };
  const { wind_speed_10m: _, ...knownSeries } = hourly;
  const [days] = parseOpenMeteo(JSON.stringify({ ...rest, hourly: knownSeries }), [ADL]);
  t.deepEqual(days, [
    { date: '2025-01-10', tempMeanC: 26.01, precipMaxMm: 0 },
    { date: '2025-01-11', tempMeanC: 27, precipMaxMm: 0 },
    { date: '2025-01-12', tempMeanC: 26.86, precipMaxMm: 0 },
  ]);
});

test('a day has its local length: 25 hours in autumn, 23 in spring', (t) => {
  // The forecast was requested in summer, so its UTC offset stays -4 h, although the clocks change on 1 November at
  // 2:00.
  const autumn = buildForecast(JFK, { from: '2026-10-31T00:00', hours: 73, offsetS: -14_400 });
  const wind = autumn.hourly.wind_speed_10m;
  wind[24] = 31; // 1 November, midnight
  wind[48] = 52; // the same day, 23:00 local time
  wind[49] = 77; // 2 November, midnight
  const [days = []] = parseOpenMeteo(JSON.stringify(autumn), [JFK]);
  t.deepEqual(
    days.map(({ date, windMaxKmh }) => [date, windMaxKmh]),
    [
      ['2026-10-31', 10],
      ['2026-11-01', 52],
      ['2026-11-02', 77],
    ],
  );
  const spring = buildForecast(JFK, { from: '2026-03-07T00:00', hours: 72, offsetS: -18_000 });
  spring.hourly.wind_speed_10m[46] = 44; // 8 March, 23:00 local time
  spring.hourly.wind_speed_10m[47] = 66; // 9 March, midnight
  const [springDays = []] = parseOpenMeteo(JSON.stringify(spring), [JFK]);
  t.deepEqual(
    springDays.map(({ date, windMaxKmh }) => [date, windMaxKmh]),
    [
      ['2026-03-07', 10],
      ['2026-03-08', 44],
      ['2026-03-09', 66],
    ],
  );
});

test('several places are answered in the requested order, each checked by its coordinates', (t) => {
  const answers = [buildForecast(JFK), buildForecast(LAX)];
  answers[1]?.hourly.temperature_2m.fill(25);
  const [jfk, lax] = parseOpenMeteo(JSON.stringify(answers), [JFK, LAX]);
  t.is(jfk?.[0]?.tempMeanC, 10);
  t.is(lax?.[0]?.tempMeanC, 25);
  const fails = (places: WeatherPlace[], message: RegExp) =>
    t.throws(() => parseOpenMeteo(JSON.stringify(answers), places), { message });
  fails([LAX, JFK], /is not near LAX$/);
  fails([JFK], /2 places, expected 1$/);
});

test('values that are null, text or impossible are unknown, separately for each field', (t) => {
  const forecast = buildForecast(JFK);
  forecast.hourly.temperature_2m.fill(null);
  forecast.hourly.wind_speed_10m.fill(-5, 0, 7);
  forecast.hourly.precipitation.fill(9_999, 0, 6);
  const text = JSON.stringify(forecast).replace('"precipitation":[9999', '"precipitation":[NaN');
  const [days = []] = parseOpenMeteo(text, [JFK]);
  const { tempMeanC, windMaxKmh, precipMaxMm } = days[0] ?? {};
  // 17 hours of wind are too few for a day, but 18 hours of precipitation are enough.
  t.deepEqual({ tempMeanC, windMaxKmh, precipMaxMm }, {
    tempMeanC: undefined,
    windMaxKmh: undefined,
    precipMaxMm: 0.5,
  } as object);
});

test('only days with missing hours are left out', (t) => {
  const forecast = buildForecast(JFK, { hours: 72 });
  for (const series of Object.values(forecast.hourly)) series.splice(20, 28);
  const [days = []] = parseOpenMeteo(JSON.stringify(forecast), [JFK]);
  t.deepEqual(
    days.map(({ date }) => date),
    ['2026-11-21', '2026-11-23'],
  );
});

test('an hour of freezing rain counts as snow', (t) => {
  const forecast = buildForecast(JFK);
  forecast.hourly.weather_code.fill(66, 3, 7);
  const [days = []] = parseOpenMeteo(JSON.stringify(forecast), [JFK]);
  t.like(days[0], { snowfallCm: 2, weatherCode: 66 });
});

test('input that is not a forecast is refused with the reason', (t) => {
  const refuses = (text: string, message: RegExp) =>
    t.throws(() => parseOpenMeteo(text, [JFK]), { instanceOf: SourceFormatError, message });
  refuses('<html>Sorry</html>', /not JSON$/);
  refuses('{"hourly":{"time":["2026-', /not JSON$/);
  refuses('{"error":true,"reason":"Daily API request limit exceeded"}', /not a forecast/);
  refuses('null', /not a forecast/);
  const { hourly, ...rest } = buildForecast(JFK);
  refuses(JSON.stringify({ ...rest, hourly: { ...hourly, visibility: [1] } }), /different lengths/);
  const units = { ...rest.hourly_units, temperature_2m: '°F' };
  refuses(JSON.stringify({ ...rest, hourly, hourly_units: units }), /is in "°F", expected °C$/);
  refuses(JSON.stringify({ ...rest, hourly, hourly_units: {} }), /is in "no unit"/);
});

const PARSER = new URL('../../../pipelines/weather/open-meteo.ts', import.meta.url);

for (const [subject, text, message] of [
  ['times', withTimes('"",'.repeat(2_000_000)), /hourly\.time is not a list of hours$/],
  ['hours too many', withTimes('"2026-11-21T00:00",'.repeat(400_000)), /is not a list of hours$/],
  ['places', `[${'{},'.repeat(1_000_000)}{}]`, /1000001 places, expected 1$/],
] as const) {
  test(`millions of bad ${subject} are refused without exhausting memory`, async (t) => {
    t.regex(await errorWithLittleMemory(PARSER, 'parseOpenMeteo', [text, [JFK]], 256), message);
  });
}

function withTimes(times: string): string {
  const good = buildForecast(JFK);
  const answer = JSON.stringify({ ...good, hourly: { ...good.hourly, time: '#' } });
  return answer.replace('"#"', `[${times}""]`);
}

test('requests have every place, the units and the span, and the key if one is set', (t) => {
  const forecast = new URL(forecastUrl('https://weather.example/v1/forecast', [JFK, LAX], 'k'));
  t.is(forecast.searchParams.get('latitude'), '40.6400,33.9400');
  t.is(forecast.searchParams.get('wind_speed_unit'), 'kmh');
  t.is(forecast.searchParams.get('forecast_days'), '16');
  t.is(forecast.searchParams.get('apikey'), 'k');
  const span = { from: '2017-01-01', to: '2017-01-31' };
  const archive = new URL(archiveUrl('https://weather.example/v1/archive', [JFK], span));
  t.is(archive.searchParams.get('start_date'), '2017-01-01');
  t.is(archive.searchParams.get('apikey'), null);
});

test('a forecast covers days from yesterday to the end of its range, in any zone', (t) => {
  const isForecastDayAt = (now: string) => (date: string) => isForecastDay(date, new Date(now));
  const noon = isForecastDayAt('2026-11-21T12:00:00Z');
  for (const date of ['2026-11-20', '2026-11-21', '2026-12-07']) t.true(noon(date), date);
  for (const date of ['1970-01-01', '2026-11-19', '2026-12-09', '2099-01-01']) {
    t.false(noon(date), date);
  }
  t.true(
    isForecastDayAt('2026-11-21T11:59:00Z')('2026-11-20'),
    'it is today twelve hours behind UTC',
  );
});

test('calls are counted as the provider counts them: by place, more for long spans', (t) => {
  t.is(callWeight(100), 100);
  t.is(callWeight(1, 30), 1.5);
  t.is(callWeight(10, 14), 10);
});
