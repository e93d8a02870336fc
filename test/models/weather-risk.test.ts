import test from 'ava';
import fc from 'fast-check';
import {
  FULL_LOG_ODDS,
  HAZARDS,
  TYPICAL_RISK,
  weatherCondition,
  weatherRisk,
} from '../../models/weather-risk.ts';

const CALM = { windMaxKmh: 0, precipMaxMm: 0, snowfallCm: 0, visibilityMinM: 20_000 };

test('a calm day has risk 0 and the worst day risk 1', (t) => {
  t.is(weatherRisk(CALM), 0);
  const worst = { windMaxKmh: 200, precipMaxMm: 80, snowfallCm: 60, visibilityMinM: 0 };
  t.is(weatherRisk(worst), 1);
});

test('each hazard raises the risk by its own log-odds', (t) => {
  for (const { reading, to, logOdds } of HAZARDS) {
    t.is(weatherRisk({ ...CALM, [reading]: to }), Math.min(1, logOdds / FULL_LOG_ODDS));
  }
});

test('the risk never falls when a hazard grows', (t) => {
  const worseBy = { windMaxKmh: 1, precipMaxMm: 1, snowfallCm: 1, visibilityMinM: -1 } as const;
  const reading = (max: number) =>
    fc.option(fc.double({ min: 0, max, noNaN: true }), { nil: undefined });
  fc.assert(
    fc.property(
      fc.record({
        windMaxKmh: reading(150),
        precipMaxMm: reading(50),
        snowfallCm: reading(50),
        visibilityMinM: reading(30_000),
      }),
      fc.constantFrom(...HAZARDS.map((hazard) => hazard.reading)),
      fc.double({ min: 0, max: 10_000, noNaN: true }),
      (day, hazard, amount) => {
        const readings = Object.fromEntries(
          Object.entries(day).filter(([, value]) => value !== undefined),
        );
        const value = readings[hazard];
        if (value === undefined) return;
        const risk = weatherRisk(readings);
        t.true(weatherRisk({ ...readings, [hazard]: value + amount * worseBy[hazard] }) >= risk);
        t.true(risk >= 0 && risk <= 1);
      },
    ),
  );
});

test('an unknown reading counts as on a typical day', (t) => {
  t.true(TYPICAL_RISK > 0 && TYPICAL_RISK < 0.5);
  t.true(weatherRisk({ windMaxKmh: 0 }) < TYPICAL_RISK);
  t.true(weatherRisk({ windMaxKmh: 100 }) > TYPICAL_RISK);
});

test('no hazard lowers the odds, and its typical share is between 0 and 1', (t) => {
  for (const { logOdds, typical } of HAZARDS) {
    t.true(logOdds >= 0);
    t.true(typical >= 0 && typical <= 1);
  }
});

test('a condition names the worst weather first', (t) => {
  t.is(weatherCondition(CALM), 'Fair');
  t.is(weatherCondition({ precipMaxMm: 1 }), 'Rain');
  t.is(weatherCondition({ precipMaxMm: 4, windMaxKmh: 45 }), 'Heavy rain and strong wind');
  t.is(weatherCondition({ precipMaxMm: 3, snowfallCm: 6 }), 'Heavy snow');
  t.is(weatherCondition({ weatherCode: 95, precipMaxMm: 9 }), 'Thunderstorms');
  t.is(weatherCondition({ gustMaxKmh: 95 }), 'Storm');
  t.is(weatherCondition({ visibilityMinM: 300 }), 'Fog');
});
