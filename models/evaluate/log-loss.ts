import { expit, logit } from '../../warehouse/ground/log-odds.ts';
/** Flights held out, and the rate predicted for them. */
export type Held = { completed: number; delayed: number; rate: number };

/** Mean log loss per flight, in nats; smaller is better. */
export function logLoss(held: readonly Held[]): number {
  let loss = 0;
  let flights = 0;
  for (const { completed, delayed, rate } of held) {
    loss -= delayed * Math.log(rate) + (completed - delayed) * Math.log(1 - rate);
    flights += completed;
  }
  return loss / flights;
}

/**
 * The predictions moved together in log-odds until they expect as many delays as there were: what is left to judge is
 * how well they tell flights apart. How bad a month is as a whole is the season's business.
 */
export function atOwnLevel(held: readonly Held[]): Held[] {
  const delayed = held.reduce((sum, one) => sum + one.delayed, 0);
  let shift = 0;
  for (let step = 0; step < 20; step++) {
    const moved = held.map((one) => ({ ...one, rate: shifted(one.rate, shift) }));
    const expected = moved.reduce((sum, one) => sum + one.completed * one.rate, 0);
    const slope = moved.reduce((sum, one) => sum + one.completed * one.rate * (1 - one.rate), 0);
    shift += (delayed - expected) / slope;
  }
  return held.map((one) => ({ ...one, rate: shifted(one.rate, shift) }));
}

/** The rate with `shift` added to its log-odds. */
export function shifted(rate: number, shift: number): number {
  return expit(logit(rate) + shift);
}
