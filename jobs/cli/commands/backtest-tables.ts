import type { Figures } from '../../../models/evaluate/metrics.ts';
import type { PairedFigure } from '../../../models/evaluate/paired.ts';
import type { Comparison } from '../../../pipelines/model/forecast-cells.ts';
import { HOURS, METHODS } from '../../../pipelines/model/forecasts.ts';
import type { RankRow } from '../../../pipelines/model/ranks.ts';
import type { SmallBacktest } from '../../../pipelines/model/small-histories.ts';
import type { TierRow } from '../../../pipelines/model/tiers.ts';
import type { FilesBacktest } from '../../wiring/backtest-files.ts';
import { HOURS_NAMES, METHOD_NAMES, TABLE_METHODS } from '../backtest-page/names.ts';
import { distributionTables } from '../distribution-tables.ts';
import { count, countOf, laterOrigins, percent, table } from '../tables.ts';

/** Formats the figures of a backtest for a terminal. */
export function backtestTables(result: FilesBacktest): string {
  const { cut, origins, trainedOn, testedOn, baseRate } = result;
  const rows = TABLE_METHODS.flatMap((method) =>
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
    `Trained on ${trainedOn.length} months before ${cut}${laterOrigins(origins)}, tested on ${testedOn.join(', ')}.`,
    `${percent(baseRate)} of the training flights were delayed; skill is relative to a forecast that is always this share.`,
    table(['method', 'request', ...FIGURES], rows),
    table(['request', 'band', 'flights', 'share', 'delayed or cancelled'], bands),
    ...scoreLines(result),
    table(['airline', 'flights', ...TIERS], result.tiers.map(tierCells)),
    ...distributionTables(result.distribution).map(
      ({ caption, head, rows: cells }) => `${caption}:\n${table(head, cells)}`,
    ),
    ...(result.paired ? [pairedTable(result.paired)] : []),
    '',
  ].join('\n');
}

/**
 * Formats three results: the outcomes for each tenth of the score, the ranking of departure hours, and how scores
 * change without the model.
 */
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
    table(['score', 'flights', 'share', 'delayed or cancelled'], tenths),
    rankTable(ranks),
    `Without the model, ${percent(moved)} of the scores with confidence 50 or more move by more than 3 points: ${percent(otherBand)} to another band, ${percent(twoBands)} by two bands.`,
  ];
}

/**
 * Formats how well each method ranks the departure hours of airline-routes: the rank correlation between forecasts and
 * outcomes.
 */
export function rankTable(ranks: RankRow[]): string {
  const cell = (value: number | null) => (value === null ? 'too few' : value.toFixed(3));
  return table(
    ['minimum flights per hour', 'hours', 'score', 'statistics', 'model', 'best possible'],
    ranks.map(({ fewest, groups, ...row }) => [
      count(fewest),
      count(groups),
      ...[row.blend, row.linear, row.ml, row.reach].map(cell),
    ]),
  );
}

/**
 * For each small history, formats the AUC and skill of each method. The last two columns show the lead of our model in
 * AUC.
 */
export function smallTable(results: SmallBacktest[]): string {
  const rows = results.flatMap(({ name, result, lead, why = '' }) => {
    if (!result || !lead) return [[name, why]];
    return HOURS.map((hours) => [
      name,
      HOURS_NAMES[hours],
      count(result.linear[hours].n),
      ...TABLE_METHODS.map((method) => {
        const { auc, skill } = result[method][hours];
        return `${auc.toFixed(3)} ${skill.toFixed(3)}`;
      }),
      ...[lead.rate, lead.plain].map((over) => difference(over[hours], 3)),
    ]);
  });
  const names = TABLE_METHODS.map((method) => METHOD_NAMES[method]);
  const head = ['history', 'request', 'flights', ...names, 'model − rate', 'model − XGBoost'];
  return `AUC and skill of forecasts from the small history only. Differences are in AUC, ± one standard error.\n${table(head, rows)}\n`;
}

const FIGURES = [
  'flights',
  'forecast',
  'actual',
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

/**
 * Formats the figures of this backtest minus the figures of the saved forecasts, with the standard error of the
 * difference.
 */
function pairedTable({ unpaired, by }: Comparison): string {
  const rows = METHODS.flatMap((method) =>
    HOURS.map((hours) => {
      const { n, clusters, auc, brier, logLoss } = by[method][hours];
      return [
        method,
        hours,
        count(n),
        count(clusters),
        ...[auc, brier, logLoss].map((figure) => difference(figure)),
      ];
    }),
  );
  const head = ['paired', 'request', 'flights', 'blocks', 'AUC', 'Brier', 'log loss'];
  return `${table(head, rows)}\n${countOf(unpaired, 'flight')} are in only one of the two forecasts.`;
}

function difference({ difference: by, noise }: PairedFigure, digits = 5): string {
  return `${by < 0 ? '' : '+'}${by.toFixed(digits)} ± ${noise.toFixed(digits)}`;
}
