import { monthOf } from '../../warehouse/ground/dates.ts';
import { sum } from '../../warehouse/ground/numbers.ts';
import { logLossOf, reliabilityBins, type Bin } from '../../models/evaluate/metrics.ts';
import { DELAY_MINUTES, type DelayCurve } from '../../models/delay-curve.ts';
import type {
  DistributionFigures,
  LongDelayRow,
  PairedScore,
  PayoutRow,
} from '../../models/distribution-figures.ts';
import { payoutOf, type PayoutTerm } from '../../models/payout.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import type { ScoredOutcome } from './score-outcomes.ts';
import { blocksOf } from './trial.ts';

type Row = { outcome: Outcome; block: string; curve: DelayCurve; plain: DelayCurve };

const TENTHS = 10;

/** Conditions of a payout, similar to those of a delay insurance. */
const TERMS: PayoutTerm[] = [
  { condition: 60, amount: 100 },
  { condition: 120, amount: 250 },
  { condition: 'cancelled', amount: 400 },
];

/**
 * Measures how well the forecast distributions of delays match the outcomes. Compares them with simple distributions,
 * which divide the late flights of every airline and route in the same proportions.
 */
export function distributionFigures(scored: ScoredOutcome[]): DistributionFigures {
  const blocks = blocksOf(scored.map(({ outcome }) => outcome));
  const rows = scored.flatMap(({ outcome, curve, plainCurve }, at): Row[] =>
    curve && plainCurve ? [{ outcome, curve, plain: plainCurve, block: blocks[at] as string }] : [],
  );
  return {
    n: sum(rows.map(({ outcome }) => outcome.completed_count)),
    crps: pairedScore(rows, ({ completed_count }) => completed_count, crpsOf),
    lateClasses: pairedScore(rows, ({ delayed_count }) => delayed_count, lateLossOf),
    cancelled: pairedScore(rows, scheduledOf, cancelledLossOf),
    reliability: {
      over_60: binsOf(rows, 60),
      over_120: binsOf(rows, 120),
      over_180: binsOf(rows, 180),
      cancelled: reliabilityBins(
        rows.map(({ outcome, curve }) => ({
          p: curve.cancelled,
          flights: scheduledOf(outcome),
          delayed: outcome.cancelled_count,
        })),
        TENTHS,
      ),
    },
    longDelays: groupsOf(rows, ({ carrier }) => carrier).map(([airline, group]) =>
      longDelayRow(airline, group),
    ),
    payout: {
      terms: TERMS.map(({ condition, amount }) => `${condition}:${amount}`).join(','),
      airlines: groupsOf(rows, ({ carrier }) => carrier).map(payoutRow),
      months: groupsOf(rows, ({ flight_date }) => monthOf(flight_date)).map(payoutRow),
    },
  };
}

/** Counts of later flights, in the order of `DELAY_MINUTES`; null where the source lacks the count. */
function countsOf(outcome: Outcome): (number | null)[] {
  return [
    outcome.delayed15_count,
    outcome.delayed_count,
    outcome.delayed45_count,
    outcome.delayed60_count,
    outcome.delayed90_count,
    outcome.delayed120_count,
    outcome.delayed180_count,
    outcome.delayed360_count,
  ];
}

function scheduledOf({ completed_count, cancelled_count, diverted_count }: Outcome): number {
  return completed_count + cancelled_count + diverted_count;
}

/** Compares the two distributions by a loss, summed over the flights of each block. */
function pairedScore(
  rows: Row[],
  flightsOf: (outcome: Outcome) => number,
  lossOf: (outcome: Outcome, curve: DelayCurve) => number,
): PairedScore {
  const blocks = new Map<string, { flights: number; difference: number }>();
  let [flights, ours, plain] = [0, 0, 0];
  for (const row of rows) {
    const count = flightsOf(row.outcome);
    if (count === 0) continue;
    const [own, other] = [lossOf(row.outcome, row.curve), lossOf(row.outcome, row.plain)];
    flights += count;
    ours += own;
    plain += other;
    const block = blocks.get(row.block) ?? { flights: 0, difference: 0 };
    block.flights += count;
    block.difference += own - other;
    blocks.set(row.block, block);
  }
  const difference = (ours - plain) / flights;
  const squares = [...blocks.values()].map(
    (block) => (block.difference - difference * block.flights) ** 2,
  );
  return {
    ours: ours / flights,
    plain: plain / flights,
    difference,
    noise: Math.sqrt(sum(squares)) / flights,
  };
}

/** Returns the continuous ranked probability score between 15 and 360 minutes, summed over the flights. */
function crpsOf(outcome: Outcome, { late }: DelayCurve): number {
  const counts = countsOf(outcome);
  const known = DELAY_MINUTES.flatMap((minutes, at) =>
    counts[at] === null ? [] : [{ minutes, p: late[at] as number, later: counts[at] as number }],
  );
  // Uses the trapezoidal rule over the delays with a known count.
  return sum(
    known.slice(1).map((end, at) => {
      const start = known[at] as (typeof known)[number];
      const loss = (point: typeof end) =>
        point.later * (1 - point.p) ** 2 + (outcome.completed_count - point.later) * point.p ** 2;
      return ((end.minutes - start.minutes) * (loss(start) + loss(end))) / 2;
    }),
  );
}

/**
 * Returns the log loss of the class of delay, summed over the late flights. The classes end at 60, 120 and 180 minutes;
 * the last has no end.
 */
function lateLossOf(outcome: Outcome, curve: DelayCurve): number {
  const [over30, over60, over120, over180] = [30, 60, 120, 180].map((minutes) =>
    Math.max(1e-6, lateAt(curve, minutes)),
  ) as [number, number, number, number];
  const step = (later: number, all: number, count: number, from: number) =>
    from === 0 ? 0 : from * logLossOf(later / all, count / from);
  const { delayed_count, delayed60_count, delayed120_count, delayed180_count } = outcome;
  return (
    step(over60, over30, delayed60_count, delayed_count) +
    step(over120, over60, delayed120_count, delayed60_count) +
    (delayed180_count === null ? 0 : step(over180, over120, delayed180_count, delayed120_count))
  );
}

function cancelledLossOf(outcome: Outcome, { cancelled }: DelayCurve): number {
  const flights = scheduledOf(outcome);
  // A probability that was rounded to 0 is replaced by half a ten-thousandth.
  return flights * logLossOf(Math.max(5e-5, cancelled), outcome.cancelled_count / flights);
}

function lateAt({ late }: DelayCurve, minutes: number): number {
  return late[DELAY_MINUTES.findIndex((delay) => delay === minutes)] as number;
}

function binsOf(rows: Row[], minutes: 60 | 120 | 180): Bin[] {
  return reliabilityBins(
    rows.flatMap(({ outcome, curve }) => {
      const later = outcome[`delayed${minutes}_count`];
      if (later === null || outcome.completed_count === 0) return [];
      return [{ p: lateAt(curve, minutes), flights: outcome.completed_count, delayed: later }];
    }),
    TENTHS,
  );
}

function groupsOf(rows: Row[], keyOf: (outcome: Outcome) => string): [string, Row[]][] {
  return [...Map.groupBy(rows, ({ outcome }) => keyOf(outcome))].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
}

function longDelayRow(airline: string, rows: Row[]): LongDelayRow {
  const late = sum(rows.map(({ outcome }) => outcome.delayed_count));
  const forecast = rows.map(({ outcome, curve }) => {
    const over30 = lateAt(curve, 30);
    return over30 === 0 ? 0 : (outcome.delayed_count * lateAt(curve, 120)) / over30;
  });
  return {
    airline,
    late,
    forecast: late === 0 ? 0 : sum(forecast) / late,
    actual: late === 0 ? 0 : sum(rows.map(({ outcome }) => outcome.delayed120_count)) / late,
  };
}

function payoutRow([group, rows]: [string, Row[]]): PayoutRow {
  const flights = sum(rows.map(({ outcome }) => scheduledOf(outcome)));
  const expected = rows.map(
    ({ outcome, curve }) =>
      scheduledOf(outcome) * payoutOf(TERMS, { curve, low: curve, high: curve }).expected,
  );
  const actual = rows.map(
    ({ outcome: { delayed60_count, delayed120_count, cancelled_count } }) =>
      100 * (delayed60_count - delayed120_count) + 250 * delayed120_count + 400 * cancelled_count,
  );
  return { group, flights, expected: sum(expected) / flights, actual: sum(actual) / flights };
}
