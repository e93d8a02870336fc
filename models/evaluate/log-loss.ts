import { expit, logit } from '../../warehouse/ground/log-odds.ts';
/** A group of flights, with the rate predicted for the group. */
export type PredictedGroup = { completed: number; delayed: number; rate: number };

/** Mean log loss per flight, in nats; smaller is better. */
export function logLoss(groups: readonly PredictedGroup[]): number {
  let loss = 0;
  let flights = 0;
  for (const { completed, delayed, rate } of groups) {
    loss -= delayed * Math.log(rate) + (completed - delayed) * Math.log(1 - rate);
    flights += completed;
  }
  return loss / flights;
}

/**
 * Shifts all predictions by the same amount in log-odds, so that expected delays equal actual delays. The log loss then
 * measures only how well the predictions separate late flights from other flights. It no longer includes an error in
 * the level of the month.
 */
export function shiftToObservedLevel(groups: readonly PredictedGroup[]): PredictedGroup[] {
  const delayed = groups.reduce((sum, one) => sum + one.delayed, 0);
  let shift = 0;
  for (let step = 0; step < 20; step++) {
    const shiftedGroups = groups.map((one) => ({ ...one, rate: shiftRate(one.rate, shift) }));
    const expected = shiftedGroups.reduce((sum, one) => sum + one.completed * one.rate, 0);
    const slope = shiftedGroups.reduce(
      (sum, one) => sum + one.completed * one.rate * (1 - one.rate),
      0,
    );
    shift += (delayed - expected) / slope;
  }
  return groups.map((one) => ({ ...one, rate: shiftRate(one.rate, shift) }));
}

/** The rate with `shift` added to its log-odds. */
export function shiftRate(rate: number, shift: number): number {
  return expit(logit(rate) + shift);
}
