import test from 'ava';
import type { Cells, Routes } from '../../../warehouse/build/effect-groups.ts';
import { FLIGHT_KINDS, MONTH_KINDS } from '../../../warehouse/store/effect-kinds.ts';
import { fitEffects } from '../../../warehouse/build/fit-effects.ts';

type Cell = {
  route: number;
  hour: number;
  summer: number;
  seasonDepth: number;
  month: number;
  flights: number;
  delayed: number;
};

/** Cells with an expected delay rate of one tenth. */
function cellsOf(...rows: Partial<Cell>[]): Cells {
  const column = (name: keyof Cell, absent: number) =>
    Float64Array.from(rows, (row) => row[name] ?? absent);
  return {
    route: column('route', 0),
    hour: column('hour', 8),
    summer: column('summer', 1),
    seasonDepth: column('seasonDepth', 1),
    month: column('month', Number.NaN),
    flights: column('flights', 1000),
    delayed: column('delayed', 100),
    logOdds: new Float64Array(rows.length).fill(Math.log(0.1 / 0.9)),
  };
}

const ROUTES: Routes = [
  { carrier: 'DL', origin: 'JFK', dest: 'LAX' },
  { carrier: 'B6', origin: 'JFK', dest: 'LAX' },
];

const kindsOf = (...kinds: string[]) => FLIGHT_KINDS.filter(({ kind }) => kinds.includes(kind));

test('an effect is ln((delays + strength) / (expected delays + strength))', (t) => {
  const { effects, logOdds } = fitEffects(
    cellsOf({ delayed: 300 }, { route: 1 }),
    ROUTES,
    kindsOf('carrier'),
  );
  t.deepEqual(
    effects.map(({ kind, keys }) => [kind, keys]),
    [['carrier', ['DL', 'B6']]],
  );
  // The second round fits an effect against the expectation without this effect.
  const [dl = 0, b6 = 0] = effects[0]?.values ?? [];
  t.true(Math.abs(dl - Math.log(350 / 150)) < 1e-12);
  t.true(Math.abs(b6) < 1e-12);
  t.true(Math.abs((logOdds[0] ?? 0) - Math.log(0.1 / 0.9) - dl) < 1e-12);
});

test('keys combine codes, half-year and block of hours; flights without an hour have no group by hour', (t) => {
  const { effects } = fitEffects(
    cellsOf({ hour: 23, summer: 0 }, { hour: Number.NaN }),
    ROUTES,
    kindsOf('route_carrier_hours', 'origin_half_year_hours', 'half_year_hour', 'route'),
  );
  t.deepEqual(
    effects.map(({ keys }) => keys),
    [['W23'], ['JFKLAX'], ['JFKLAXDL@5'], ['JFK@W7']],
  );
});

test('a cell has the share of a half-year effect given by its season depth; depth 0 gives no effect', (t) => {
  const [summer, winter] = [Math.log(350 / 150), Math.log(300 / 200) / 0.5];
  const kinds = kindsOf('half_year_hour').map((kind) => ({ ...kind, strength: 50 }));
  const { effects, logOdds, halfYears } = fitEffects(
    cellsOf(
      { delayed: 300 },
      { hour: 9, summer: 0, seasonDepth: 0.5, flights: 2000, delayed: 400 },
      { hour: 10, seasonDepth: 0, delayed: 900 },
    ),
    ROUTES,
    kinds,
  );
  t.deepEqual(effects[0]?.keys, ['S8', 'W9', 'S10']);
  const [july = 0, march = 0, april] = effects[0]?.values ?? [];
  t.true(Math.abs(july - summer) < 1e-12);
  t.true(
    Math.abs(march - winter) < 1e-12,
    'half of the effect is visible, and the prior is doubled',
  );
  t.is(april, 0);
  t.true(Math.abs((logOdds[1] ?? 0) - Math.log(0.1 / 0.9) - winter / 2) < 1e-12);
  t.deepEqual([...halfYears], [july, march, 0]);
});

test('keys of months end with the first day of the month', (t) => {
  const arrivals: Routes = [{ carrier: 'DL', origin: '', dest: 'LAX' }];
  const cells = cellsOf({ month: 583, hour: Number.NaN }, { month: 590, hour: Number.NaN });
  const { effects } = fitEffects(cells, arrivals, MONTH_KINDS);
  t.deepEqual(
    effects.map(({ keys }) => keys[1]),
    ['2019-03-01', 'DL2019-03-01', 'LAX2019-03-01', 'LAXDL2019-03-01'],
  );
});

test('without cells there are no effects', (t) => {
  const { effects, logOdds } = fitEffects(cellsOf(), [], FLIGHT_KINDS);
  t.true(effects.every(({ keys }) => keys.length === 0));
  t.is(logOdds.length, 0);
});
