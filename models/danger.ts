import { sum } from '../warehouse/ground/sum.ts';
import { measureShare, type AirportMeasure } from './airport-measures.ts';
import { fadedBy } from './blend.ts';
import { causeOfEvent, causeOfMeasure, type AirlineName, type Tone } from './danger-words.ts';
import { weightOf, type EventFlight, type FlightEvent } from './event-risk.ts';
import { expit, logit } from '../warehouse/ground/log-odds.ts';

/** What the events in force mean for one flight. */
export type Danger = {
  /** `value` of the component `event_risk`, 0 to 1: one minus the chance that none of them strikes. */
  risk: number;
  /** Log-odds of being delayed or cancelled they add, 0 to `MAX_LOG_ODDS`. */
  logOdds: number;
  /** Of the flights they delay or cancel, the share that is cancelled, 0 to 1. */
  cancelledShare: number;
  /** The worst of them as a clause, with its source; absent where none adds log-odds. */
  cause?: string;
};

/** What a kind of event does at full weight; docs/features.md has the table. */
type Force = { logOdds: number; cancelledShare: number };

/** Nothing flies: enough to bring any flight to the top of the statistical score, and its probability near 1. */
const STOPPED: Force = { logOdds: 6, cancelledShare: 0.3 };
/** Enough to bring the flight with the least risk to High. */
const HELD: Force = { logOdds: 4, cancelledShare: 0.2 };
const STRIKE: Force = { logOdds: 4, cancelledShare: 0.3 };
const SEVERE: Force = { logOdds: 1.8, cancelledShare: 0.3 };
const MEDIUM: Force = { logOdds: 0.8, cancelledShare: 0.15 };
/** What is low in impact is told, and changes no score. */
const LOW: Force = { logOdds: 0, cancelledShare: 0 };

/**
 * Severities from which a report says that nothing flies, that flights are cancelled, that they are disrupted; a strike
 * that is only threatened has no more than `threatened`. See `pipelines/news/classify.ts`.
 */
const FROM = { stopped: 0.8, severe: 0.7, threatened: 0.5, medium: 0.45 };

/** Together no more than this is believed of any flight. */
export const MAX_LOG_ODDS = 6;

/** A measure delays by so many minutes at that severity; half an hour of it is what `delayed` begins with. */
const DELAY_FROM = 0.2;
const DELAY_FULL = 0.8;

type Threat = Force & {
  /** Severity of it that is the flight's, 0 to 1. */
  risk: number;
  cause: () => string;
};

/**
 * What news and measures in force mean for a flight; undefined where nothing in force touches it, so that without
 * events every number is what it is without this. Measures are those in force on the day of the flight. Pure.
 */
export function dangerOf(
  flight: EventFlight,
  { events, measures }: { events: readonly FlightEvent[]; measures: readonly InForce[] },
  nameOf: AirlineName,
  now: Date,
): Danger | undefined {
  const threats = [
    ...measures.map((measure) => threatOfMeasure(measure, flight)),
    ...events.map((event) => threatOfEvent(event, flight, nameOf, now)),
  ].filter(({ risk }) => risk > 0);
  if (threats.length === 0) return undefined;
  threats.sort((a, b) => b.logOdds - a.logOdds);
  const risk = 1 - threats.reduce((calm, threat) => calm * (1 - threat.risk), 1);
  // Reports of one trouble come in many wordings: each further one adds half of what the one before it did.
  const logOdds = sum(threats.map((threat, rank) => threat.logOdds / 2 ** rank));
  const cancelled = sum(threats.map((threat) => threat.cancelledShare * threat.logOdds));
  const [worst] = threats;
  return {
    risk,
    logOdds: Math.min(MAX_LOG_ODDS, logOdds),
    cancelledShare: logOdds === 0 ? 0 : cancelled / sum(threats.map((threat) => threat.logOdds)),
    ...(worst !== undefined && worst.logOdds > 0 && { cause: worst.cause() }),
  };
}

/** A measure and how much of it is left, 0 to 1: it fades as what is known of it grows old. */
export type InForce = AirportMeasure & { left: number };

/** P(later than 30 minutes) and P(cancelled) of a flight. */
export type Fate = { late: number; cancelled: number };

/**
 * What becomes of a flight in danger: the odds of being late or cancelled rise by its log-odds, and what they gain is
 * taken from arriving within 30 minutes, `cancelledShare` of it for being cancelled. Of a record that is hardly one
 * (`confidence`, 0 to 1) that share fades as the model's part of the score does: the rule gives a closure little room
 * there, and what is cancelled has none in P(later than 30 minutes). Without danger the very same fate.
 */
export function inDanger(fate: Fate, danger: Danger | undefined, confidence: number): Fate {
  if (danger === undefined || danger.logOdds === 0) return fate;
  const late = fate.late;
  const cancelled = Math.min(1 - late, fate.cancelled);
  const grown = expit(logit(late + cancelled) + danger.logOdds) - (late + cancelled);
  const share = danger.cancelledShare * fadedBy(confidence);
  return { late: late + (1 - share) * grown, cancelled: cancelled + share * grown };
}

function threatOfEvent(
  event: FlightEvent,
  flight: EventFlight,
  nameOf: AirlineName,
  now: Date,
): Threat {
  const weight = weightOf(event, flight, now);
  const { logOdds, cancelledShare } = forceOf(event, flight);
  return {
    risk: event.severity * weight,
    logOdds: logOdds * weight,
    cancelledShare,
    cause: () => causeOfEvent(event, toneOf(event), nameOf, now),
  };
}

function forceOf(event: FlightEvent, flight: EventFlight): Force {
  const { eventType, severity, touches } = event;
  const isBystander = touches.carriers.length > 0 && !touches.carriers.includes(flight.carrier);
  if (isStop(event) && !isBystander) return STOPPED;
  const isStrike = eventType === 'strike' && severity >= FROM.medium;
  if (isStrike && !isThreat(event) && !isBystander) return STRIKE;
  if (severity >= FROM.severe) return SEVERE;
  return severity >= FROM.medium ? MEDIUM : LOW;
}

/** A strike that is only threatened, for no day, may never come. */
function isThreat({ eventType, severity, days }: FlightEvent): boolean {
  return eventType === 'strike' && days === undefined && severity <= FROM.threatened;
}

function toneOf(event: FlightEvent): Tone {
  if (isStop(event)) return 'stop';
  return isThreat(event) ? 'threat' : 'trouble';
}

/** Whether it says that nothing flies: of an airport or airline, or of a country whose air space or staff it is. */
function isStop({ eventType, severity, touches }: FlightEvent): boolean {
  if (severity < FROM.stopped) return false;
  const isNamed = touches.airports.length + touches.carriers.length > 0;
  // One airport of a country that is shut by snow or by a broken machine does not stop the country.
  return isNamed || eventType === 'atc' || eventType === 'strike' || eventType === 'security';
}

function threatOfMeasure(measure: InForce, flight: EventFlight): Threat {
  const { kind, severity, left } = measure;
  const weight = measureShare(measure, flight) * left;
  const { logOdds, cancelledShare } = MEASURES[kind];
  const part = kind === 'closure' || kind === 'stop' ? 1 : delayPart(severity);
  return {
    risk: severity * weight,
    logOdds: logOdds * part * weight,
    cancelledShare,
    cause: () => causeOfMeasure(measure),
  };
}

const MEASURES: Record<AirportMeasure['kind'], Force> = {
  closure: STOPPED,
  stop: HELD,
  delay: HELD,
  departures: HELD,
  arrivals: HELD,
};

/** 0 up to half an hour of delay, 1 from two hours on, in a straight line between. */
function delayPart(severity: number): number {
  return Math.min(1, Math.max(0, (severity - DELAY_FROM) / (DELAY_FULL - DELAY_FROM)));
}
