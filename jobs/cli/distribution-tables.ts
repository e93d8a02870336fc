import type { DistributionFigures, PairedScore } from '../../models/distribution-figures.ts';
import { count, percent } from './tables.ts';

/** A table with its caption, for a terminal or a page. */
export type CaptionedTable = { caption: string; head: string[]; rows: string[][] };

/**
 * Minimum number of late flights of an airline. With fewer late flights, the airline's share of long delays is not
 * shown.
 */
const MIN_LATE = 2_000;

/** The figures about the distribution of delays, cancellations and payouts. */
export function distributionTables(figures: DistributionFigures): CaptionedTable[] {
  const { crps, lateClasses, cancelled, reliability, longDelays, payout } = figures;
  return [
    {
      caption: 'Delay distributions, compared with one distribution for all late flights',
      head: ['figure', 'ours', 'reference', 'difference'],
      rows: [
        scoreRow('CRPS, minutes', crps),
        scoreRow('log loss of the classes beyond 30 minutes', lateClasses),
        scoreRow('log loss of cancellations', cancelled),
      ],
    },
    {
      caption: 'Forecast and actual shares by tenth of the forecast',
      head: ['tenth', 'over 60 min', 'over 120 min', 'over 180 min', 'cancelled'],
      rows: Array.from({ length: 10 }, (_, tenth) => [
        String(tenth + 1),
        ...[
          reliability.over_60,
          reliability.over_120,
          reliability.over_180,
          reliability.cancelled,
        ].map((bins) => {
          const bin = bins[tenth];
          return bin ? `${exactPercent(bin.forecast)} → ${exactPercent(bin.observed)}` : '';
        }),
      ]),
    },
    {
      caption: `Share of late flights that are more than two hours late, for airlines with at least ${count(MIN_LATE)} late flights`,
      head: ['airline', 'late flights', 'forecast', 'actual', 'ratio'],
      rows: longDelays
        .filter(({ late }) => late >= MIN_LATE)
        .map(({ airline, late, forecast, actual }) => [
          airline,
          count(late),
          percent(forecast),
          percent(actual),
          (forecast / actual).toFixed(2),
        ]),
    },
    {
      caption: `Payout per flight, ${payout.terms}`,
      head: ['group', 'flights', 'expected', 'actual'],
      rows: [...payout.months, ...payout.airlines].map(({ group, flights, expected, actual }) => [
        group,
        count(flights),
        expected.toFixed(2),
        actual.toFixed(2),
      ]),
    },
  ];
}

function scoreRow(name: string, { ours, plain, difference, noise }: PairedScore): string[] {
  const signed = `${difference < 0 ? '' : '+'}${difference.toFixed(5)} ± ${noise.toFixed(5)}`;
  return [name, ours.toFixed(5), plain.toFixed(5), signed];
}

/** Formats a share as a percentage with two decimals, because these outcomes are rare. */
function exactPercent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}
