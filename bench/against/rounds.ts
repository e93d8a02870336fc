import { loadavg } from 'node:os';

/** A round of a comparison. */
export type Round = {
  at: number;
  /** Whether the round only warms up. Its figures do not count. */
  isWarmUp: boolean;
  /** Returns the sides in the order of this round. */
  inOrder: <T>(sides: readonly T[]) => readonly T[];
};

/**
 * Returns the rounds of a comparison. Round 0 warms up, and `count` rounds follow. The order is reversed every other
 * round, so that each of two sides is first in half of the rounds.
 */
export function* roundsOf(count: number, log: (line: string) => void): Generator<Round> {
  for (let at = 0; at <= count; at++) {
    log(`round ${at} of ${count}, load average ${loadavg()[0]?.toFixed(1)}`);
    yield {
      at,
      isWarmUp: at === 0,
      inOrder: (sides) => (at % 2 === 0 ? sides : sides.toReversed()),
    };
  }
}
