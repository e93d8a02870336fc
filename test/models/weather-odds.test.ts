import test from 'ava';
import type { DayWeather } from '../../models/types.ts';
import { weatherLogOdds } from '../../models/weather-odds.ts';
import { FULL_LOG_ODDS, TYPICAL_RISK } from '../../models/weather-risk.ts';
import { aStore } from '../helpers/store.ts';

const QUERY = { origin: 'JFK', dest: 'LAX', carrier: 'DL', flightDate: '2026-07-06' };

/** A store in which the usual weather is known only for JFK in July. */
const STORE = {
  ...aStore(),
  climatology: (airport: string, month: number) =>
    airport === 'JFK' && month === 7 ? { risk: 0.3 } : undefined,
};

const forecast = (score: number): DayWeather => ({ score, condition: 'Rain', basis: 'forecast' });

const near = (a: number, b: number) => Math.abs(a - b) < 1e-9;

test('a forecast is compared with the usual weather of the month, or with a typical day if that is unknown', (t) => {
  t.true(near(weatherLogOdds(QUERY, STORE, { weatherDep: forecast(0.8) }), 0.5 * FULL_LOG_ODDS));
  t.true(
    near(
      weatherLogOdds(QUERY, STORE, { weatherArr: forecast(0.8) }),
      (0.8 - TYPICAL_RISK) * FULL_LOG_ODDS,
    ),
  );
});

test('the end with worse weather counts, and fair weather at both ends lowers the odds', (t) => {
  const odds = (dep: number, arr: number) =>
    weatherLogOdds(QUERY, STORE, { weatherDep: forecast(dep), weatherArr: forecast(arr) });
  t.is(odds(0.9, 0), odds(0.9, 0.2));
  t.true(odds(0.1, 0) < 0);
});

test('usual or unknown weather adds nothing', (t) => {
  const usual: DayWeather = { ...forecast(0.9), basis: 'climatology' };
  t.is(weatherLogOdds(QUERY, STORE, { weatherDep: usual }), 0);
  t.is(weatherLogOdds(QUERY, STORE, {}), 0);
});
