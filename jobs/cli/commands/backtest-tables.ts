import type { Figures } from '../../../models/evaluate/metrics.ts';
import type { Compared } from '../../../models/evaluate/paired.ts';
import type { Comparison } from '../../../pipelines/model/forecast-cells.ts';
import { HOURS, METHODS } from '../../../pipelines/model/forecasts.ts';
import type { RankRow } from '../../../pipelines/model/ranks.ts';
import type { SmallBacktest } from '../../../pipelines/model/small-histories.ts';
import type { TierRow } from '../../../pipelines/model/tiers.ts';
import type { FilesBacktest } from '../../wiring/backtest-files.ts';
import { HOURS_NAMES, METHOD_NAMES, TABLED } from '../backtest-page/names.ts';
import { anew, count, percent, table } from '../tables.ts';

/** The figures of a back-test for a terminal. */
export function backtestTables(result: FilesBacktest): string {
  const { cut, origins, trainedOn, testedOn, baseRate } = result;
  const rows = TABLED.flatMap((method) =>
    HOURS.map((hours) => [method, hours, ...figureCells(result[method][hours])]),
  );
  const bands = HOURS.flatMap((hours) =>
    result.bands[hours].map(({ label, n, share, disrupted }) => [
      hours,
      label,
      count(n),
      percent(share),
      disrupted === null ? '' : percent(disrupted),
    ]),
  );
  return [
    `Trained on ${trainedOn.length} months before ${cut}${anew(origins)}, tested on ${testedOn.join(', ')}.`,
    `${percent(baseRate)} of the flights before were delayed; skill is against always saying so.`,
    table(['method', 'asked', ...FIGURES], rows),
    table(['asked', 'band', 'flights', 'of all', 'delayed or cancelled'], bands),
    ...scoreLines(result),
    table(['airline', 'flights', ...TIERS], result.tiers.map(tierCells)),
    ...(result.paired ? [pairedTable(result.paired)] : []),
    '',
  ].join('\n');
}

/** How the score ranks hours, what its tenths mean, and what it would be without the model. */
function scoreLines({ ranks, score, switchedOff }: FilesBacktest): string[] {
  const tenths = score.tenths
    .filter(({ n }) => n > 0)
    .map(({ from, to, n, share, disrupted }) => [
      `${from}–${to}`,
      count(n),
      percent(share),
      percent(disrupted ?? 0),
    ]);
  const { moved, otherBand, twoBands } = switchedOff;
  return [
    table(['score', 'flights', 'of all', 'delayed or cancelled'], tenths),
    rankTable(ranks),
    `Without the model ${percent(moved)} of the scores of confidence 50 or more move by more than 3 points, ${percent(otherBand)} to another band, ${percent(twoBands)} by two.`,
  ];
}

/** Rank correlation of what is said of airline-routes' hours with what came of them. */
export function rankTable(ranks: RankRow[]): string {
  const cell = (value: number | null) => (value === null ? 'too few' : value.toFixed(3));
  return table(
    ['hours of so many flights', 'of them', 'score', 'statistics', 'model', 'within reach'],
    ranks.map(({ fewest, groups, ...row }) => [
      count(fewest),
      count(groups),
      ...[row.blend, row.linear, row.ml, row.reach].map(cell),
    ]),
  );
}

/** AUC and skill of what is said of each small history's flights, and how far the model is ahead in AUC. */
export function smallTable(results: SmallBacktest[]): string {
  const rows = results.flatMap(({ name, result, lead, why = '' }) => {
    if (!result || !lead) return [[name, why]];
    return HOURS.map((hours) => [
      name,
      HOURS_NAMES[hours],
      count(result.linear[hours].n),
      ...TABLED.map((method) => {
        const { auc, skill } = result[method][hours];
        return `${auc.toFixed(3)} ${skill.toFixed(3)}`;
      }),
      ...[lead.rate, lead.plain].map((over) => difference(over[hours], 3)),
    ]);
  });
  const names = TABLED.map((method) => METHOD_NAMES[method]);
  const head = ['known', 'asked', 'flights', ...names, 'model − rate', 'model − XGBoost'];
  return `AUC and skill; the small history alone is known. Differences are of AUC, ± one standard error.\n${table(head, rows)}\n`;
}

const FIGURES = [
  'flights',
  'forecast',
  'came',
  'AUC',
  'log loss',
  'Brier',
  'skill',
  'ECE',
  'ECE at own level',
];
const TIERS = ['exact', 'route_any_airline', 'no_data'] as const;

function figureCells(figures: Figures): string[] {
  const { n, forecast, observed, auc, logLoss, brier, skill, ece, eceAtOwnLevel } = figures;
  const rest = [auc, logLoss, brier, skill, ece, eceAtOwnLevel].map((figure) => figure.toFixed(4));
  return [count(n), percent(forecast), percent(observed), ...rest];
}

function tierCells({ airline, n, ...shares }: TierRow): string[] {
  return [airline, count(n), ...TIERS.map((tier) => percent(shares[tier]))];
}

/** Ours less theirs, with the standard error of that. */
function pairedTable({ unpaired, by }: Comparison): string {
  const rows = METHODS.flatMap((method) =>
    HOURS.map((hours) => {
      const { n, clusters, auc, brier, logLoss } = by[method][hours];
      return [
        method,
        hours,
        count(n),
        count(clusters),
        ...[auc, brier, logLoss].map((one) => difference(one)),
      ];
    }),
  );
  const head = ['paired', 'asked', 'flights', 'blocks', 'AUC', 'Brier', 'log loss'];
  return `${table(head, rows)}\n${count(unpaired)} flights were forecast by one of both alone.`;
}

function difference({ difference: by, noise }: Compared, digits = 5): string {
  return `${by < 0 ? '' : '+'}${by.toFixed(digits)} ± ${noise.toFixed(digits)}`;
}
