import type { Figures } from '../../../models/evaluate/metrics.ts';
import type { Backtest } from '../../../pipelines/model/backtest.ts';
import { HOURS } from '../../../pipelines/model/forecasts.ts';
import type { SmallBacktest } from '../../../pipelines/model/small-histories.ts';
import { HOURS_NAMES, METHOD_NAMES, TABLED } from '../backtest-page/names.ts';
import { anew, count, percent, table } from '../tables.ts';

/** The figures of a back-test for a terminal. */
export function backtestTables(result: Backtest): string {
  const { cut, origins, trainedOn, testedOn, baseRate } = result;
  const rows = TABLED.flatMap((method) =>
    HOURS.map((hours) => [method, hours, ...figureCells(result[method][hours])]),
  );
  const bands = HOURS.flatMap((hours) =>
    result.bands[hours].map(({ label, n, disrupted }) => [
      hours,
      label,
      count(n),
      disrupted === null ? '' : percent(disrupted),
    ]),
  );
  return [
    `Trained on ${trainedOn.length} months before ${cut}${anew(origins)}, tested on ${testedOn.join(', ')}.`,
    `${percent(baseRate)} of the flights before were delayed; skill is against always saying so.`,
    table(['method', 'asked', ...FIGURES], rows),
    table(['asked', 'band', 'flights', 'delayed or cancelled'], bands),
    '',
  ].join('\n');
}

/** AUC and skill of what is said of each small history's flights. */
export function smallTable(results: SmallBacktest[]): string {
  const rows = results.flatMap(({ name, result, why = '' }) => {
    if (!result) return [[name, why]];
    return HOURS.map((hours) => [
      name,
      HOURS_NAMES[hours],
      count(result.linear[hours].n),
      ...TABLED.map((method) => {
        const { auc, skill } = result[method][hours];
        return `${auc.toFixed(3)} ${skill.toFixed(3)}`;
      }),
    ]);
  });
  const head = ['known', 'asked', 'flights', ...TABLED.map((method) => METHOD_NAMES[method])];
  return `AUC and skill; the small history alone is known.\n${table(head, rows)}\n`;
}

const FIGURES = ['flights', 'AUC', 'log loss', 'Brier', 'skill', 'ECE', 'ECE at own level'];

function figureCells({ n, auc, logLoss, brier, skill, ece, eceAtOwnLevel }: Figures): string[] {
  return [count(n), ...[auc, logLoss, brier, skill, ece, eceAtOwnLevel].map((f) => f.toFixed(4))];
}
