import test from 'ava';
import type { CoverageBody } from '../../../api/schemas/coverage.ts';
import type { RecordBody, RecordFigures } from '../../../api/schemas/record.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { createJsonGet, createPageGet, textOf } from '../helpers/page-get.ts';
import { PUBLISHED } from '../helpers/published-record.ts';
import { WORLD } from '../helpers/world-store.ts';

const withNoise = (value: number, noise: number | null, digits: number) =>
  `${value.toFixed(digits)} ± ${noise!.toFixed(digits)}`;

/** Formats a figure of `/api/record` as in the tables of the page, without the name of its row. */
function cellsOf(one: RecordFigures): string {
  const made = one.horizon_days === null ? 'start of month' : `${one.horizon_days} days ahead`;
  return [
    ...[made, one.flights, (100 * one.forecast).toFixed(1)],
    withNoise(100 * one.actual, 100 * one.actual_noise!, 1),
    `+${withNoise(100 * one.level, 100 * one.level_noise!, 1)}`,
    withNoise(one.brier, one.brier_noise, 4),
    withNoise(one.reliability, one.reliability_noise, 4),
    withNoise(one.resolution, one.resolution_noise, 4),
    withNoise(one.uncertainty, one.uncertainty_noise, 4),
    withNoise(one.log_loss, one.log_loss_noise, 4),
    withNoise(one.auc!, one.auc_noise, 3),
  ].join(' ');
}

test('every figure of the record equals the figure of the API', async (t) => {
  const deps = { ...explorerDeps(), forecastRecord: () => PUBLISHED };
  const json = createJsonGet(deps);
  const text = textOf((await createPageGet(deps)('/record')).payload);
  for (const [query, nameOf] of [
    ['', ({ month }: RecordFigures) => (month === null ? 'All months' : monthName(month))],
    ['by=airline', ({ airline }: RecordFigures) => airline ?? ''],
    ['by=provider', ({ provider }: RecordFigures) => provider ?? ''],
  ] as const) {
    const { figures, frozen } = (await json(`/api/record?${query}`)) as RecordBody;
    t.true(figures.length > 0);
    for (const one of figures.filter(({ month }) => query === '' || month === null)) {
      const row = `${nameOf(one)} ${cellsOf(one)}`;
      t.true(text.includes(row), row);
    }
    t.true(text.includes(`Frozen forecasts ${frozen!.forecasts.toLocaleString('en-GB')}`));
    t.true(text.includes(frozen!.head));
  }
});

const monthName = (month: string) =>
  new Date(`${month}-01`).toLocaleDateString('en-GB', {
    ...{ month: 'long', year: 'numeric', timeZone: 'UTC' },
  });

test('every figure of the coverage equals the figure of the records', async (t) => {
  const deps = { ...explorerDeps(), stores: { current: () => WORLD } };
  const { records } = (await createJsonGet(deps)('/explorer/coverage')) as CoverageBody;
  const text = textOf((await createPageGet(deps)('/coverage')).payload);
  t.is(records.length, 3);
  const number = (value: number) => value.toLocaleString('en-GB');
  for (const one of records) {
    const { route_count, airline_count, airports } = one;
    t.true(
      text.includes(
        `Flights ${number(one.flights)} Routes ${route_count} Airlines ${airline_count} Airports ${airports}`,
      ),
      text,
    );
    for (const { code, name, routes, flights } of one.airlines) {
      t.true(text.includes(`${name} (${code}) ${routes} ${number(flights)} `), name);
    }
    for (const { name, airlines, flights } of one.routes) {
      t.true(text.includes(`${name} ${airlines} ${number(flights)} `), name);
    }
  }
});
