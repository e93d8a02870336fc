import test from 'ava';
import { randomFrom } from '../../../bench/generate/random.ts';
import {
  buildGroups,
  selectGroups,
  type Cells,
  type Routes,
} from '../../../warehouse/build/effect-groups.ts';
import { fitOdds, type FittedOdds } from '../../../warehouse/build/fit-odds.ts';
import type { GroupKind } from '../../../warehouse/store/effect-kinds.ts';
import { expit, logit } from '../../../warehouse/ground/log-odds.ts';

const FLIGHTS = 2_000;

/**
 * Creates one route for each rate, each to another airport. The rate is the share of the route's flights that take the
 * step.
 */
function flightsTo(rates: number[]): { cells: Cells; routes: Routes } {
  const column = (value: number) => new Float64Array(rates.length).fill(value);
  return {
    routes: rates.map((_, at) => ({ carrier: 'DL', origin: 'JFK', dest: `D${at}` })),
    cells: {
      route: Float64Array.from(rates, (_, at) => at),
      ...{ hour: column(8), summer: column(1), seasonDepth: column(1), month: column(Number.NaN) },
      flights: column(FLIGHTS),
      delayed: Float64Array.from(rates, (rate) => rate * FLIGHTS),
      logOdds: column(0),
    },
  };
}

function fit(cells: Cells, routes: Routes, kinds: readonly GroupKind[]): FittedOdds {
  return fitOdds(
    cells,
    kinds.map((kind) => ({ kind, groups: buildGroups(kind, cells, routes) })),
  );
}

const DEST = [{ kind: 'dest', codes: ['dest'] }] as const;

function destEffects(rates: number[]): number[] {
  const { cells, routes } = flightsTo(rates);
  return [...(fit(cells, routes, DEST).effects[0]?.values ?? [])];
}

test('the effect of a common outcome is a difference in log-odds', (t) => {
  const effects = destEffects([0.1, 0.3, 0.7, 0.9]);
  for (const [at, rate] of [0.1, 0.3, 0.7, 0.9].entries()) {
    t.true(Math.abs((effects[at] ?? 0) - logit(rate)) < 0.1, `${effects[at]}`);
  }
});

test('groups that differ only by chance have hardly any effect', (t) => {
  const { normal } = randomFrom('chance');
  const rates = Array.from({ length: 200 }, () => 0.5 + Math.sqrt(0.25 / FLIGHTS) * normal());
  t.true(Math.max(...destEffects(rates).map(Math.abs)) < 0.05);
});

test('one group that differs much from two hundred equal groups keeps its effect', (t) => {
  const { normal } = randomFrom('one');
  const rates = Array.from({ length: 200 }, () => 0.5 + Math.sqrt(0.25 / FLIGHTS) * normal());
  const effects = destEffects([...rates, 0.05]);
  t.true((effects.at(-1) ?? 0) < 0.85 * logit(0.05), `${effects.at(-1)}`);
  t.true(Math.max(...effects.slice(0, -1).map(Math.abs)) < 0.05);
});

test('the spread of an effect falls with the flights of its group', (t) => {
  const { cells, routes } = flightsTo([0.2, 0.8, 0.2, 0.8]);
  for (const at of [0, 1]) {
    cells.flights[at] = 40;
    cells.delayed[at] = (cells.delayed[at] as number) / 50;
  }
  const [{ values, spreads } = { values: [], spreads: [] }] = fit(cells, routes, DEST).effects;
  t.true((spreads[0] ?? 0) > 3 * (spreads[2] ?? 1));
  t.true(Math.abs(values[0] ?? 1) < Math.abs(values[2] ?? 0), 'fewer flights, more shrinkage');
});

test('a half-year effect applies by the season depth of the flights', (t) => {
  const routes: Routes = [{ carrier: 'DL', origin: 'JFK', dest: 'LAX' }];
  const two = (a: number, b: number) => Float64Array.from([a, b]);
  const cells: Cells = {
    ...{ route: two(0, 0), hour: two(8, 8), summer: two(1, 0), month: two(NaN, NaN) },
    ...{ seasonDepth: two(0.5, 1), flights: two(1e6, 1e6), logOdds: two(0, 0) },
    delayed: two(1e6 * expit(0.2), 5e5),
  };
  const halfYear = [{ kind: 'half_year', codes: [], byHalfYear: true }] as const;
  const { effects, logOdds } = fit(cells, routes, halfYear);
  t.true(Math.abs((effects[0]?.values[0] ?? 0) - 0.4) < 0.01);
  t.true(Math.abs((logOdds[0] ?? 0) - 0.2) < 0.01);
});

test('groups selected for some cells equal groups that are built from these cells', (t) => {
  const { cells, routes } = flightsTo([0.1, 0.2, 0.3, 0.4]);
  // The airports appear in another order among the selected cells than among all cells.
  cells.route = Float64Array.from([0, 1, 0, 2]);
  cells.hour = Float64Array.from([6, 6, 6, Number.NaN]);
  const kind: GroupKind = { kind: 'dest_hours', codes: ['dest'], hours: 3 };
  const selected = Int32Array.from([1, 2, 3]);
  const some = (column: Float64Array) => Float64Array.from(selected, (cell) => column[cell] ?? 0);
  const own = { ...cells, route: some(cells.route), hour: some(cells.hour) };
  t.deepEqual(selectGroups(buildGroups(kind, cells, routes), selected), {
    groupOfCell: Int32Array.from([0, 1, -1]),
    keys: ['D1@2', 'D0@2'],
  });
  t.deepEqual(buildGroups(kind, own, routes).keys, ['D1@2', 'D0@2']);
});
