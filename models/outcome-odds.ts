import { expit } from '../warehouse/ground/log-odds.ts';
import { monthOfYear } from '../warehouse/ground/dates.ts';
import { distanceBand } from '../warehouse/ground/distance.ts';
import type { OutcomeStep, OutcomeTable } from '../warehouse/store/outcome-kinds.ts';
import type { ScoreStore } from '../warehouse/store/types.ts';
import { operatedFlights } from './brands.ts';
import { hourSharesOf } from './hour-shares.ts';
import { seasonOf } from './season.ts';
import type { FlightQuery } from './types.ts';

/** Log-odds of a step and their standard deviation. */
export type StepOdds = { logOdds: number; sd: number };

/**
 * Log-odds of every step between outcomes (see `OUTCOME_STEPS`) for one flight, without the weather and events of the
 * day.
 */
export type OutcomeOdds = Record<OutcomeStep, StepOdds> & {
  /**
   * Position of P(more than 45 minutes late) between P(more than 30) and P(more than 60), on a logarithmic scale from 0
   * to 1. In the same way, `90` is the position of 90 minutes between 60 and 120.
   */
  between: { 45: number; 90: number };
};

/** Standard deviation of the effect of a group without history. */
const UNKNOWN_SD = 0.15;

/**
 * Returns the log-odds of every step for a flight: the level of the network plus the effects of the flight's groups.
 * Without a departure hour, the effects of the hours are averaged over the hours in which the airline flies the route.
 * The effects of a brand are averaged over its operators.
 */
export function outcomeOddsOf(query: FlightQuery, store: ScoreStore): OutcomeOdds {
  const { outcomes } = store;
  const sums = new Float64Array(outcomes.steps.length);
  const variances = new Float64Array(outcomes.steps.length);
  const { halfYear, depth } = seasonOf(query.flightDate);
  addRow(outcomes, `half_year ${halfYear}`, depth, sums, variances);
  for (const { query: one, share } of operatedFlights(query, store)) {
    for (const name of groupNames(one, store)) addRow(outcomes, name, share, sums, variances);
    const { depHours, shares } = hourSharesOf(one, store);
    for (const [at, hour] of depHours.entries()) {
      if (Number.isNaN(hour)) continue;
      for (const name of hourNames(one, hour)) {
        addRow(outcomes, name, share * (shares[at] as number), sums, variances);
      }
    }
  }
  const steps = outcomes.steps.map((step, at) => [
    step,
    { logOdds: sums[at] as number, sd: Math.sqrt(variances[at] as number) },
  ]);
  const between = { 45: partOf(outcomes, 'between45'), 90: partOf(outcomes, 'between90') };
  return { ...(Object.fromEntries(steps) as Record<OutcomeStep, StepOdds>), between };
}

function groupNames(
  { origin, dest, carrier, flightDate }: FlightQuery,
  store: ScoreStore,
): string[] {
  const distance = distanceBand(store.airport(origin), store.airport(dest));
  return [
    'network ',
    `month ${monthOfYear(flightDate)}`,
    `distance ${distance}`,
    `carrier ${carrier}`,
    `carrier_distance ${carrier}${distance}`,
    `origin ${origin}`,
    `dest ${dest}`,
    `origin_carrier ${origin}${carrier}`,
    `dest_carrier ${dest}${carrier}`,
    `route ${origin}${dest}`,
    `route_carrier ${origin}${dest}${carrier}`,
  ];
}

function hourNames({ origin, carrier }: FlightQuery, hour: number): string[] {
  return [
    `hour ${hour}`,
    `carrier_hours ${carrier}@${Math.floor(hour / 3)}`,
    `origin_hours ${origin}@${Math.floor(hour / 4)}`,
  ];
}

/**
 * Adds the effects of a group to `sums`, and the variances of these effects to `variances`, each multiplied by `share`.
 */
function addRow(
  { rowOf, effects, spreads, steps }: OutcomeTable,
  name: string,
  share: number,
  sums: Float64Array,
  variances: Float64Array,
): void {
  const row = rowOf(name);
  const width = steps.length;
  for (let step = 0; step < width; step++) {
    const sd = row === -1 ? UNKNOWN_SD : (spreads[row * width + step] as number);
    variances[step] = (variances[step] as number) + share * sd * sd;
    if (row !== -1) {
      sums[step] = (sums[step] as number) + share * (effects[row * width + step] as number);
    }
  }
}

function partOf({ rowOf, effects, steps }: OutcomeTable, name: string): number {
  const row = rowOf(`${name} `);
  return row === -1 ? 0.5 : expit(effects[row * steps.length + steps.indexOf('late60')] as number);
}
