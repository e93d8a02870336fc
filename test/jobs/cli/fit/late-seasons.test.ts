import test from 'ava';
import { meanSeason, slopeOf, type SeasonMonth } from '../../../../jobs/cli/fit/late-seasons.ts';
import { expit } from '../../../../warehouse/ground/log-odds.ts';

const SEASON = [0, 0, 0, 0, 0.1, 0.3, 0.3, 0.1, -0.2, -0.3, -0.3, 0];

test('the season of a month is its mean difference from its year; years with missing months are left out', (t) => {
  const year = (number: number, level: number, months: number) =>
    SEASON.slice(0, months).map((odds, at) => ({
      ...{ year: number, month: at + 1, flights: 1e6 },
      late: 1e6 * expit(level + odds),
    }));
  const season = meanSeason([...year(2018, -1.5, 12), ...year(2019, -1, 12), ...year(2020, 1, 6)]);
  for (const [at, odds] of SEASON.entries()) t.true(Math.abs((season[at] ?? 9) - odds) < 1e-9);
});

test('the slope of a step measures how much its months follow the season, and does not depend on the level of the airport', (t) => {
  const months = (group: string, level: number): SeasonMonth[] =>
    SEASON.map((odds, at) => ({
      ...{ group, month: at + 1, completed: 1e6, late15: 2e5, late30: 1e5 },
      late60: 1e5 * expit(level + 0.4 * odds),
      ...{ late120: 0, late180: 0, late360: 0 },
    }));
  const airports = [...months('JFK 2017', 0.3), ...months('SEA 2023', -0.3)];
  const { slope, error, others } = slopeOf('late60', airports, SEASON);
  t.true(Math.abs(slope - 0.4) < 0.01, `${slope}`);
  t.true(error > 0.05 && error < 0.3, `${error}`);
  t.is(others.length, 2);
});
