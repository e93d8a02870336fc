import { sum } from '../warehouse/ground/numbers.ts';
import { measureShare, type AirportMeasure } from './airport-measures.ts';
import { fadeFactor } from './blend.ts';
import { causeOfEvent, causeOfMeasure, type AirlineNameOf, type Tone } from './danger-words.ts';
import { weightOf, type EventFlight, type FlightEvent } from './event-risk.ts';
import { expit, logit } from '../warehouse/ground/log-odds.ts';

/** The effect of the events in force on one flight. */
export type Danger = {
  /** Value of the component `event_risk`, 0 to 1: one minus the probability that no event affects the flight. */
  risk: number;
  /**
   * Log-odds of being delayed or cancelled that the events add, up to `MAX_LOG_ODDS`. Negative only if the incoming
   * aircraft is on time.
   */
  logOdds: number;
  /** Smallest and largest log-odds that the events may add. The reports of the events may be wrong. */
  range: readonly [low: number, high: number];
  /** Share of cancelled flights among all flights that the events delay or cancel, 0 to 1. */
  cancelledShare: number;
  /** The worst event as a clause, with its source; absent if no event adds log-odds. */
  cause?: string;
};

/** Effect of a kind of event at full weight, with its range; docs/features.md has the table. */
type Impact = Pick<Danger, 'logOdds' | 'range' | 'cancelledShare'>;

/**
 * Effect if all flights of an airport are reported as stopped. The statistical score of any flight rises to the top,
 * and its probability to nearly 1.
 */
const FULL_STOP = { logOdds: 6, cancelledShare: 0.3 };
/**
 * Effect of a ground stop or a long delay at an airport: even the flight with the least risk rises to the band High.
 */
const GROUND_HOLD = { logOdds: 4, cancelledShare: 0.2 };
/**
 * The range of each report starts at 0, because a headline may be wrong or may not concern this flight. The range ends
 * at the effect of a more severe report.
 */
const STOP_IMPACT: Impact = { ...FULL_STOP, range: [0, 6] };
const STRIKE_IMPACT: Impact = { logOdds: 4, range: [0, 6], cancelledShare: 0.3 };
const SEVERE_IMPACT: Impact = { logOdds: 1.8, range: [0, 4], cancelledShare: 0.3 };
const MEDIUM_IMPACT: Impact = { logOdds: 0.8, range: [0, 1.8], cancelledShare: 0.15 };
/** Events of low impact are shown, but do not change the score. */
const LOW_IMPACT: Impact = { logOdds: 0, range: [0, 0], cancelledShare: 0 };

/**
 * Smallest and largest effect of an airport measure, relative to its usual effect. Measures are official, but may end
 * early.
 */
const MEASURE_RANGE = [0.5, 1.5] as const;

/**
 * Lowest severity of each kind of report: no flights operate (`stopped`), flights are cancelled (`severe`), or flights
 * are disrupted (`medium`). `threatened` is the highest severity of a strike that is only threatened. See
 * `pipelines/news/classify.ts`.
 */
const SEVERITY_FROM = { stopped: 0.8, severe: 0.7, threatened: 0.5, medium: 0.45 };

/** Upper limit of the log-odds that all events together add to a flight. */
export const MAX_LOG_ODDS = 6;

/**
 * A measure has an effect only above `DELAY_FROM`, the severity of a delay of half an hour. The effect is full from
 * `DELAY_FULL` on, the severity of a delay of two hours.
 */
const DELAY_FROM = 0.2;
const DELAY_FULL = 0.8;

type Threat = Impact & {
  /** Severity of the event times the event's weight for the flight, 0 to 1. */
  risk: number;
  cause: () => string;
};

/**
 * Returns the effect of news and airport measures on a flight; undefined if no event affects the flight. `measures`
 * must be the measures on the day of the flight. Pure.
 */
export function dangerOf(
  flight: EventFlight,
  { events, measures }: { events: readonly FlightEvent[]; measures: readonly ActiveMeasure[] },
  nameOf: AirlineNameOf,
  now: Date,
): Danger | undefined {
  const threats = [
    ...measures.map((measure) => threatOfMeasure(measure, flight)),
    ...events.map((event) => threatOfEvent(event, flight, nameOf, now)),
  ].filter(({ risk }) => risk > 0);
  if (threats.length === 0) return undefined;
  threats.sort((a, b) => b.logOdds - a.logOdds);
  const risk = 1 - threats.reduce((calm, threat) => calm * (1 - threat.risk), 1);
  // Several reports may describe one event. The second report therefore adds half of its effect, the third a quarter,
  // and so on.
  const total = (valueOf: (threat: Threat) => number) =>
    sum(threats.map((threat, rank) => valueOf(threat) / 2 ** rank));
  const capped = (logOdds: number) => Math.min(MAX_LOG_ODDS, logOdds);
  const logOdds = total((threat) => threat.logOdds);
  const cancelled = sum(threats.map((threat) => threat.cancelledShare * threat.logOdds));
  const [worst] = threats;
  return {
    risk,
    logOdds: capped(logOdds),
    range: [capped(total(({ range }) => range[0])), capped(total(({ range }) => range[1]))],
    cancelledShare: logOdds === 0 ? 0 : cancelled / sum(threats.map((threat) => threat.logOdds)),
    ...(worst !== undefined && worst.logOdds > 0 && { cause: worst.cause() }),
  };
}

/** A measure with its freshness, 0 to 1. The freshness falls as the airport status gets older. */
export type ActiveMeasure = AirportMeasure & { freshness: number };

/** P(more than 30 minutes late) and P(cancelled) of a flight. */
export type DisruptionProbabilities = { late: number; cancelled: number };

/**
 * Raises the odds of being late or cancelled by the danger's log-odds. The share `cancelledShare` of the added
 * probability goes to `cancelled`, the rest to `late`. At a low `confidence` (0 to 1), the model has less weight in the
 * score, so `cancelledShare` is reduced in proportion. Otherwise the score of a flight at a closed airport would be too
 * low, because the model's P(more than 30 minutes late) does not include cancellations. Negative log-odds lower both
 * probabilities in proportion. Without danger, the probabilities are returned unchanged.
 */
export function applyDanger(
  probabilities: DisruptionProbabilities,
  danger: Danger | undefined,
  confidence: number,
): DisruptionProbabilities {
  if (danger === undefined || danger.logOdds === 0) return probabilities;
  const late = probabilities.late;
  const cancelled = Math.min(1 - late, probabilities.cancelled);
  const disrupted = late + cancelled;
  const increase = expit(logit(disrupted) + danger.logOdds) - disrupted;
  if (increase < 0) {
    const remaining = 1 + increase / disrupted;
    return { late: late * remaining, cancelled: cancelled * remaining };
  }
  const share = danger.cancelledShare * fadeFactor(confidence);
  return { late: late + (1 - share) * increase, cancelled: cancelled + share * increase };
}

function threatOfEvent(
  event: FlightEvent,
  flight: EventFlight,
  nameOf: AirlineNameOf,
  now: Date,
): Threat {
  const weight = weightOf(event, flight, now);
  const { logOdds, range, cancelledShare } = impactOf(event, flight);
  return {
    risk: event.severity * weight,
    logOdds: logOdds * weight,
    range: [range[0] * weight, range[1] * weight],
    cancelledShare,
    cause: () => causeOfEvent(event, toneOf(event), nameOf, now),
  };
}

function impactOf(event: FlightEvent, flight: EventFlight): Impact {
  const { eventType, severity, touches } = event;
  const isBystander = touches.carriers.length > 0 && !touches.carriers.includes(flight.carrier);
  if (isStop(event) && !isBystander) return STOP_IMPACT;
  const isStrike = eventType === 'strike' && severity >= SEVERITY_FROM.medium;
  if (isStrike && !isThreat(event) && !isBystander) return STRIKE_IMPACT;
  if (severity >= SEVERITY_FROM.severe) return SEVERE_IMPACT;
  return severity >= SEVERITY_FROM.medium ? MEDIUM_IMPACT : LOW_IMPACT;
}

/** Whether a strike is only threatened and has no date yet. */
function isThreat({ eventType, severity, days }: FlightEvent): boolean {
  return eventType === 'strike' && days === undefined && severity <= SEVERITY_FROM.threatened;
}

function toneOf(event: FlightEvent): Tone {
  if (isStop(event)) return 'stop';
  return isThreat(event) ? 'threat' : 'trouble';
}

/**
 * Whether the report means that no flights operate at an airport, for an airline or in a country (closed air space,
 * strike).
 */
function isStop({ eventType, severity, touches }: FlightEvent): boolean {
  if (severity < SEVERITY_FROM.stopped) return false;
  const isNamed = touches.airports.length + touches.carriers.length > 0;
  // Snow or a technical failure that closes one airport does not stop the flights of the whole country.
  return isNamed || eventType === 'atc' || eventType === 'strike' || eventType === 'security';
}

function threatOfMeasure(measure: ActiveMeasure, flight: EventFlight): Threat {
  const { kind, severity, freshness } = measure;
  const weight = measureShare(measure, flight) * freshness;
  const { logOdds, cancelledShare } = MEASURES[kind];
  const part = kind === 'closure' || kind === 'stop' ? 1 : delayPart(severity);
  const effect = logOdds * part * weight;
  return {
    risk: severity * weight,
    logOdds: effect,
    range: [effect * MEASURE_RANGE[0], effect * MEASURE_RANGE[1]],
    cancelledShare,
    cause: () => causeOfMeasure(measure),
  };
}

const MEASURES: Record<AirportMeasure['kind'], Omit<Impact, 'range'>> = {
  closure: FULL_STOP,
  stop: GROUND_HOLD,
  delay: GROUND_HOLD,
  departures: GROUND_HOLD,
  arrivals: GROUND_HOLD,
};

/** Returns 0 for a delay of up to half an hour, 1 for two hours or more, and a value in proportion in between. */
function delayPart(severity: number): number {
  return Math.min(1, Math.max(0, (severity - DELAY_FROM) / (DELAY_FULL - DELAY_FROM)));
}
