import { MAX_LOG_ODDS, type Danger } from './danger.ts';
import parameters from './inbound.json' with { type: 'json' };

/**
 * A delay of the incoming aircraft in minutes. `logOdds` is how much this delay adds to the log-odds that the flight is
 * delayed, and `error` is the standard error of `logOdds`.
 */
type Knot = { minutes: number; logOdds: number; error: number };

const KNOTS: readonly Knot[] = parameters.knots;

/** Standard deviations from the middle to the end of a 90 % range. */
const RANGE_DEVIATIONS = 1.645;

/**
 * Returns the weight of each knot in the effect of a delay. Only the knots next to the delay have weight, in proportion
 * to their nearness.
 */
export function knotShares(minutes: number, knots: readonly number[]): number[] {
  const shares = knots.map(() => 0);
  const above = knots.findIndex((knot) => knot >= minutes);
  if (above <= 0) {
    shares[above === 0 ? 0 : knots.length - 1] = 1;
    return shares;
  }
  const [from, until] = [knots[above - 1] as number, knots[above] as number];
  const part = (minutes - from) / (until - from);
  shares[above - 1] = 1 - part;
  shares[above] = part;
  return shares;
}

/**
 * Adds the effect of the incoming aircraft's delay to the effect of the events in force. An aircraft that is on time
 * lowers the risk, because the usual risk includes flights with a late aircraft.
 */
export function withInboundDelay(danger: Danger | undefined, minutes: number): Danger {
  const shares = knotShares(
    minutes,
    KNOTS.map((knot) => knot.minutes),
  );
  const mean = (value: (knot: Knot) => number) =>
    KNOTS.reduce((total, knot, at) => total + (shares[at] as number) * value(knot), 0);
  const [logOdds, error] = [mean((knot) => knot.logOdds), mean((knot) => knot.error)];
  const events = danger ?? NO_EVENTS;
  const total = (own: number, inbound: number) => Math.min(MAX_LOG_ODDS, own + inbound);
  const margin = RANGE_DEVIATIONS * error;
  const isWorst = logOdds > events.logOdds;
  return {
    risk: 1 - (1 - events.risk) * (1 - Math.min(1, Math.max(0, logOdds / MAX_LOG_ODDS))),
    logOdds: total(events.logOdds, logOdds),
    range: [total(events.range[0], logOdds - margin), total(events.range[1], logOdds + margin)],
    // A late aircraft seldom leads to a cancellation, so `cancelledShare` depends only on the events.
    cancelledShare:
      (events.cancelledShare * events.logOdds) /
      Math.max(1e-9, events.logOdds + Math.max(0, logOdds)),
    ...(isWorst
      ? { cause: `the incoming aircraft is ${minutes} minutes late` }
      : danger?.cause !== undefined && { cause: danger.cause }),
  };
}

const NO_EVENTS: Danger = { risk: 0, logOdds: 0, range: [0, 0], cancelledShare: 0 };
