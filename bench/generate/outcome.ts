import type { Random } from './random.ts';
import type { Service } from './schedule.ts';

/** The outcome of a flight. Times are in minutes, negative if early. Absent values are unknown, as in BTS's rows. */
export type Outcome = {
  depDelayMin?: number;
  arrDelayMin?: number;
  taxiOutMin: number;
  taxiInMin: number;
  cancellationCode?: 'A' | 'B' | 'C' | 'D';
  /** A landing at another airport. `hasReachedDest`: whether the flight then continued to its destination. */
  diversion?: { hasReachedDest: boolean; groundMin: number; arrDelayMin: number };
};

/** Share of diverted flights. BTS counts about one diversion in 400 flights. */
const DIVERT_RATE = 0.0025;

/**
 * Draws the outcome of a flight. `delayFactor` multiplies the probabilities of delay and cancellation. It depends on
 * the day and on the airport of departure, and is 1 on an ordinary day.
 */
export function drawOutcome(random: Random, service: Service, delayFactor: number): Outcome {
  const taxi = { taxiOutMin: 9 + random.below(18), taxiInMin: 3 + random.below(10) };
  if (random.next() < Math.min(0.9, service.cancelRate * delayFactor)) {
    // One in ten cancelled flights had already left the gate, and therefore has a departure time.
    const hasDeparted = random.next() < 0.1;
    return {
      ...taxi,
      ...(hasDeparted && { depDelayMin: random.below(180) }),
      cancellationCode: cancellationCode(random.next()),
    };
  }
  const isLate = random.next() < Math.min(0.9, service.lateRate * delayFactor);
  const arrDelayMin = isLate ? lateMin(random, service.lateMin) : onTimeMin(random);
  const depDelayMin = Math.max(-25, Math.round(arrDelayMin + 4 + 8 * random.normal()));
  if (random.next() < DIVERT_RATE) {
    const groundMin = 25 + random.below(120);
    const hasReachedDest = random.next() < 0.8;
    return {
      ...taxi,
      depDelayMin,
      diversion: { hasReachedDest, groundMin, arrDelayMin: 90 + groundMin },
    };
  }
  return { ...taxi, depDelayMin, arrDelayMin };
}

/** Draws the factor of a day. Its mean is 1; most values are near 1, and some are far above. */
export function drawDelayFactor(random: Random, spread: number): number {
  return Math.exp(spread * random.normal() - spread ** 2 / 2);
}

/** Draws a delay of more than 30 minutes, with a long tail up to a day. */
function lateMin(random: Random, mean: number): number {
  return Math.min(1439, Math.floor(31 + (mean - 31) * random.exponential()));
}

function onTimeMin(random: Random): number {
  return Math.max(-60, Math.min(30, Math.round(-7 + 13 * random.normal())));
}

/** Chooses a cancellation code; weather (B) and carrier (A) cause 85 % of cancellations. */
function cancellationCode(share: number): 'A' | 'B' | 'C' | 'D' {
  if (share < 0.45) return 'B';
  if (share < 0.85) return 'A';
  return share < 0.995 ? 'C' : 'D';
}
