import type { Random } from './random.ts';
import type { Service } from './schedule.ts';

/** How a flight went; minutes, negative when early. Absent is unknown, as in BTS's own rows. */
export type Outcome = {
  depDelayMin?: number;
  arrDelayMin?: number;
  taxiOutMin: number;
  taxiInMin: number;
  cancellationCode?: 'A' | 'B' | 'C' | 'D';
  /** Landed somewhere else; `reached` when it flew on to where it was bound. */
  diversion?: { reached: boolean; groundMin: number; arrDelayMin: number };
};

/** BTS counts about one diversion in 400 flights. */
const DIVERT_RATE = 0.0025;

/**
 * Draws how a flight went. `trouble` multiplies how likely delays and cancellations are that day at that
 * airport; 1 is an ordinary day.
 */
export function drawOutcome(random: Random, service: Service, trouble: number): Outcome {
  const taxi = { taxiOutMin: 9 + random.below(18), taxiInMin: 3 + random.below(10) };
  if (random.next() < Math.min(0.9, service.cancelRate * trouble)) {
    // One in ten is cancelled after it left the gate, and has a departure.
    const departed = random.next() < 0.1;
    return {
      ...taxi,
      ...(departed && { depDelayMin: random.below(180) }),
      cancellationCode: cancellationCode(random.next()),
    };
  }
  const isLate = random.next() < Math.min(0.9, service.lateRate * trouble);
  const arrDelayMin = isLate ? lateMin(random, service.lateMin) : onTimeMin(random);
  const depDelayMin = Math.max(-25, Math.round(arrDelayMin + 4 + 8 * random.normal()));
  if (random.next() < DIVERT_RATE) {
    const groundMin = 25 + random.below(120);
    const reached = random.next() < 0.8;
    return { ...taxi, depDelayMin, diversion: { reached, groundMin, arrDelayMin: 90 + groundMin } };
  }
  return { ...taxi, depDelayMin, arrDelayMin };
}

/** A multiplier with mean 1 that is mostly near it and sometimes far above: how bad a day is. */
export function drawTrouble(random: Random, spread: number): number {
  return Math.exp(spread * random.normal() - spread ** 2 / 2);
}

/** More than 30 minutes, with a long tail up to a day. */
function lateMin(random: Random, mean: number): number {
  return Math.min(1439, Math.floor(31 + (mean - 31) * random.exponential()));
}

function onTimeMin(random: Random): number {
  return Math.max(-60, Math.min(30, Math.round(-7 + 13 * random.normal())));
}

/** Weather and the carrier share nine in ten. */
function cancellationCode(share: number): 'A' | 'B' | 'C' | 'D' {
  if (share < 0.45) return 'B';
  if (share < 0.85) return 'A';
  return share < 0.995 ? 'C' : 'D';
}
