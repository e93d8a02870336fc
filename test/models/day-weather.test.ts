import test from 'ava';
import { dayWeather } from '../../models/day-weather.ts';
import { cancellationOdds } from '../../models/outcome-days.ts';
import { weatherRisk } from '../../models/weather-risk.ts';
import type { Forecast } from '../../warehouse/live/forecasts.ts';
import type { Climatology } from '../../warehouse/store/types.ts';

const NOW = new Date('2026-12-01T12:00:00Z');
const STORM = { tempMeanC: 3.2, windMaxKmh: 70, precipMaxMm: 6, weatherCode: 65 };
const DECEMBER: Climatology = { tempMeanC: 4, windMaxKmh: 25, precipMaxMm: 0.8, risk: 0.21 };

function weather(
  date: string,
  {
    fetchedAt = '2026-12-01T09:00:00.000Z',
    store = { climatology: (_: string, month: number) => (month === 12 ? DECEMBER : undefined) },
  } = {},
) {
  const forecast: Forecast = { fetchedAt, days: new Map([['2026-12-03', STORM]]) };
  return dayWeather('JFK', date, {
    store,
    forecast: (airport) => (airport === 'JFK' ? forecast : undefined),
    now: NOW,
  });
}

test('a day with a forecast has its weather and the age of the forecast', (t) => {
  t.deepEqual(weather('2026-12-03'), {
    score: weatherRisk(STORM),
    condition: 'Heavy rain and storm',
    basis: 'forecast',
    fetchedAt: '2026-12-01T09:00:00.000Z',
    cancelOdds: cancellationOdds(STORM),
    tempC: 3.2,
    windMaxKmh: 70,
    precipMaxMm: 6,
  });
});

test('a day beyond the forecast has the usual weather and mean risk of its month', (t) => {
  t.deepEqual(weather('2026-12-24'), {
    score: 0.21,
    condition: 'Typical for December: changeable',
    basis: 'climatology',
    tempC: 4,
    windMaxKmh: 25,
    precipMaxMm: 0.8,
  });
});

test('a forecast is used for 36 hours', (t) => {
  const basis = (fetchedAt: string) => weather('2026-12-03', { fetchedAt })?.basis;
  t.is(basis('2026-11-30T00:00:00.000Z'), 'forecast');
  t.is(basis('2026-11-29T23:59:59.000Z'), 'climatology');
  t.is(basis('2026-12-01T13:00:00.000Z'), 'forecast');
});

test('without forecast and climatology there is no weather', (t) => {
  t.is(weather('2026-11-30'), undefined);
  t.is(weather('2026-12-24', { store: { climatology: () => undefined } }), undefined);
});
