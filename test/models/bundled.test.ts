import { readFile } from 'node:fs/promises';
import test from 'ava';
import { randomFrom } from '../../bench/generate/random.ts';
import { assembleRows } from '../../models/assemble.ts';
import { dayWeather } from '../../models/day-weather.ts';
import { DAY_FEATURES, FEATURES } from '../../models/features.ts';
import { openModel } from '../../models/onnx/model.ts';
import { assessFlight } from '../../models/score.ts';
import type { WeatherReadings } from '../../warehouse/store/types.ts';
import { aStore } from '../helpers/store.ts';
import { CURRENT_CONTRACT } from './helpers/model.ts';

const WIDTH = FEATURES.length;
const ROWS = 500;

async function openBundledModel() {
  const file = new URL('../../models/bundled/model.onnx', import.meta.url);
  return openModel(await readFile(file), CURRENT_CONTRACT);
}

/** Random rows with every hour and distance. */
function someFlights(): Float32Array {
  const next = randomFrom('bundled').next;
  const generators: Record<string, () => number> = {
    dep_hour: () => Math.floor(24 * next()),
    distance_km: () => 4000 * next(),
  };
  const row = () => FEATURES.map(({ name }) => generators[name]?.() ?? 2 * next() - 1);
  return Float32Array.from(Array.from({ length: ROWS }, row).flat());
}

test('no effect or day feature lowers the risk as it grows', async (t) => {
  const model = await openBundledModel();
  const rows = someFlights();
  const before = model.predict(rows);
  const monotone = FEATURES.flatMap(({ name }, at) =>
    name.endsWith('_effect') || DAY_FEATURES.some((day) => day === name) ? [{ name, at }] : [],
  );
  t.is(monotone.length, WIDTH - 2);
  for (const { name, at } of monotone) {
    const raisedRows = rows.map((value, cell) => (cell % WIDTH === at ? value + 0.4 : value));
    const after = model.predict(raisedRows);
    t.true(
      after.every((p, row) => p >= (before[row] as number)),
      name,
    );
  }
});

const READINGS: Partial<Record<keyof WeatherReadings, number[]>> = {
  windMaxKmh: [0, 10, 25, 40, 55, 70, 90, 150],
  precipMaxMm: [0, 0.5, 2, 5, 10, 40],
  snowfallCm: [0, 1, 5, 10, 60],
  visibilityMinM: [50_000, 10_000, 5_000, 1_000, 200, 0],
};

for (const [reading, worse] of Object.entries(READINGS)) {
  for (const end of ['origin', 'dest'] as const) {
    test(`a forecast with worse ${reading} at the ${end} never lowers a score, and the worst raises it`, async (t) => {
      const model = await openBundledModel();
      const query = { origin: 'JFK', dest: 'LAX', carrier: 'DL', flightDate: '2026-07-06' };
      const store = { ...aStore(), climatology: () => ({ risk: 0.3 }) };
      const scores = [];
      for (const value of worse) {
        const fetchedAt = '2026-07-05T00:00:00Z';
        const days = new Map([[query.flightDate, { [reading]: value }]]);
        const sources = {
          store,
          now: new Date(fetchedAt),
          forecast: (airport: string) => (airport === query[end] ? { fetchedAt, days } : undefined),
        };
        const weatherDep = dayWeather(query.origin, query.flightDate, sources);
        const weatherArr = dayWeather(query.dest, query.flightDate, sources);
        const weather = { ...(weatherDep && { weatherDep }), ...(weatherArr && { weatherArr }) };
        const row = assembleRows(query, [Number.NaN], store, weather);
        const [mlProbability = Number.NaN] = model.predict(row);
        scores.push(assessFlight(query, store, { ...weather, mlProbability }).exactScore);
      }
      t.deepEqual(
        scores,
        scores.toSorted((a, b) => a - b),
      );
      t.true(Number(scores.at(-1)) > Number(scores[0]));
    });
  }
}
