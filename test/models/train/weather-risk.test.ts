import { readFile } from 'node:fs/promises';
import test from 'ava';
import { HAZARD_RANGES } from '../../../jobs/cli/fit/weather.ts';
import {
  fitHazards,
  type HazardRange,
  type WeatherFlights,
} from '../../../models/train/weather-risk.ts';
import { weatherPicture } from '../../../jobs/cli/fit/weather-picture.ts';
import { expit } from '../../../warehouse/ground/log-odds.ts';
import parameters from '../../../models/weather-risk.json' with { type: 'json' };
import { HAZARDS } from '../../../models/weather-risk.ts';
import { sha256 } from '../../../warehouse/ground/hashes.ts';

const WIND: HazardRange = { hazard: 'wind', reading: 'windMaxKmh', from: 20, to: 70 };
const RAIN: HazardRange = { hazard: 'rain', reading: 'precipMaxMm', from: 0, to: 10 };

/**
 * Two months at two airports with different levels; a wind of 70 km/h doubles the odds of delay, and rain halves the
 * odds.
 */
function days(): WeatherFlights[] {
  return ['A', 'B'].flatMap((airport, level) =>
    Array.from({ length: 56 }, (_, index) => {
      const readings = { windMaxKmh: (index * 37) % 90, precipMaxMm: (index * 13) % 10 };
      const wind = Math.min(1, Math.max(0, (readings.windMaxKmh - 20) / 50));
      const logOdds = -2 + level + Math.log(2) * wind - Math.log(2) * (readings.precipMaxMm / 10);
      const date = `2020-0${1 + Math.floor(index / 28)}-${String(1 + (index % 28)).padStart(2, '0')}`;
      return { airport, date, completed: 1_000, delayed: 1_000 * expit(logOdds), readings };
    }),
  );
}

test('an existing effect is found, and no effect is below 0', (t) => {
  const dry = days().map((day) => ({
    ...day,
    readings: { windMaxKmh: day.readings.windMaxKmh ?? 0 },
    delayed:
      1_000 *
      expit(
        -2 + Math.log(2) * Math.min(1, Math.max(0, ((day.readings.windMaxKmh ?? 0) - 20) / 50)),
      ),
  }));
  const [wind] = fitHazards(dry, [WIND]);
  t.true(Math.abs((wind?.logOdds ?? 0) - Math.log(2)) < 0.01, String(wind?.logOdds));
  const [, rain] = fitHazards(days(), [WIND, RAIN]);
  t.is(rain?.logOdds, 0);
});

test('an effect set by hand stays, and days without differences give no effect', (t) => {
  const calm = days().map((day) => ({ ...day, readings: { windMaxKmh: 0, precipMaxMm: 5 } }));
  const [wind, rain] = fitHazards(calm, [WIND, { ...RAIN, setTo: 0.5 }]);
  t.is(wind?.logOdds, 0);
  t.is(rain?.logOdds, 0.5);
  t.is(rain?.typical, 0.5);
});

test('a day without the reading counts as a typical day', (t) => {
  const allDays = days();
  const withGaps = allDays.map((day, index) =>
    index % 2 === 0 ? day : { ...day, readings: {}, completed: 0, delayed: 0 },
  );
  const withReadings = allDays.filter((_, index) => index % 2 === 0);
  t.deepEqual(
    fitHazards(withGaps, [WIND])[0]?.typical,
    fitHazards(withReadings, [WIND])[0]?.typical,
  );
});

test('the parameters match their seal and the hazards of the fit', (t) => {
  const { seal, ...content } = parameters;
  t.is(seal, sha256(JSON.stringify(content)));
  t.deepEqual(
    HAZARDS.map(({ hazard, reading, from, to }) => ({ hazard, reading, from, to })),
    HAZARD_RANGES.map(({ setTo: _, ...range }) => range),
  );
});

test('the picture in the docs shows the current parameters', async (t) => {
  const shippedPicture = await readFile(
    new URL('../../../docs/weather-risk.svg', import.meta.url),
    'utf8',
  );
  t.is(weatherPicture(HAZARDS), shippedPicture);
});
