import { SAFE_CONFIDENCE } from './evidence.ts';
import { riskLabel } from './label.ts';
import type { Assessment, Component, ComponentKey, Evidence, Held } from './types.ts';

/** What a sentence about a flight may rest on. */
export type Told = Evidence &
  Pick<Assessment, 'score' | 'tier' | 'components' | 'stats' | 'confidence' | 'danger'>;

/**
 * One sentence: what the score means for a booking, the largest part of it that is known, and how thin the evidence is.
 * What is a placeholder is never named as a reason, and nothing is called safe below `SAFE_CONFIDENCE`.
 */
export function recommendation(told: Told): string {
  const cause = causeInForce(told);
  const driver = driverOf(told);
  const from = driver === undefined ? '' : `, mostly from ${driver}`;
  const label = riskLabel(told.score);
  const because = cause === undefined ? from : `, ${label === 'Low' ? 'though' : 'as'} ${cause}`;
  const isFirm = told.confidence >= SAFE_CONFIDENCE && cause === undefined;
  return `${ADVICE[label](because, isFirm)}${thinness(told)}.`;
}

/** From these log-odds on an event is named, and first: it is half as likely again, or more, that the flight is late. */
const NAMED_LOG_ODDS = Math.log(1.5);

/** The worst event in force as a clause, where it matters to the flight. */
export function causeInForce({ danger }: Pick<Told, 'danger'>): string | undefined {
  return danger !== undefined && danger.logOdds >= NAMED_LOG_ODDS ? danger.cause : undefined;
}

const ADVICE = {
  Low: (from: string, isFirm: boolean) =>
    isFirm
      ? `Safe to book: the risk is low${from}`
      : `Low risk as far as is known${from}: check again closer to departure`,
  Moderate: (from: string) =>
    `Some risk${from}: consider a flexible fare and check again closer to departure`,
  High: (from: string) => `Elevated risk${from}: check alternatives or add buffer time`,
  'Very High': (from: string) => `High probability of disruption${from}: evaluate alternatives`,
};

/** The part of the score that is largest among those that are known, in words; undefined when nothing is. */
function driverOf(told: Told): string | undefined {
  const known = knownParts(told)[0];
  return known && DRIVERS[known.key].replace('#', recordOf(told));
}

/** The components that rest on evidence and raise the score, largest first. */
export function knownParts({ components, unknown }: Pick<Told, 'components' | 'unknown'>) {
  const isUnknown = ({ key }: Component) =>
    (PLACES[key] ?? []).length > 0 && (PLACES[key] ?? []).every((place) => unknown.includes(place));
  return components.filter((part) => part.contribution > 0 && !isUnknown(part));
}

/** The figures a component is made of; one that is known is enough to speak of it. */
const PLACES: Partial<Record<ComponentKey, readonly Evidence['unknown'][number][]>> = {
  delay_rate: ['delay_rate'],
  cancel_rate: ['cancel_rate'],
  congestion: ['congestion_dep', 'congestion_arr'],
  weather: ['weather_dep', 'weather_arr'],
  seasonality: ['seasonality'],
};

/** `#` stands for whose record it is. */
const DRIVERS: Record<ComponentKey, string> = {
  delay_rate: 'the delay record of #',
  cancel_rate: 'the cancellation record of #',
  congestion: 'airport congestion',
  weather: 'the weather',
  seasonality: 'the time of year',
  event_risk: 'current events',
};

/** Fewer flights than these are no record to speak of: the rates are those of flights like it. */
const RECORD_FLIGHTS = 30;

function recordOf({ tier, stats, held }: Told): string {
  if (tier === 'no_data') return partsHeld(held);
  if (stats.flightCount < RECORD_FLIGHTS) return 'flights like it';
  return tier === 'exact' ? 'this flight' : 'this route';
}

/** What the history holds of a flight on a route nobody flew: `these airports and this airline`. */
export function partsHeld({ origin, dest, carrier }: Held): string {
  const airports =
    origin && dest ? 'these airports' : origin ? 'the departure airport' : 'the arrival airport';
  const parts = [(origin || dest) && airports, carrier && 'this airline'];
  return parts.filter((part) => typeof part === 'string').join(' and ');
}

function thinness({ tier, stats, confidence, held }: Told): string {
  const isThin = confidence < SAFE_CONFIDENCE;
  if (tier === 'no_data') {
    const isNothing = partsHeld(held) === '';
    return isNothing
      ? ' (nothing is known of this route, its airports or this airline: the score is that of an average flight)'
      : ' (the evidence is thin: no flights on this route in our history)';
  }
  if (tier === 'exact') {
    return isThin ? ` (the evidence is thin: ${flights(stats.flightCount)} in our history)` : '';
  }
  return ' (from other airlines on this route: this one has not flown it in our history)';
}

/** `1 flight`, `1,000 flights`. */
export function flights(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'flight' : 'flights'}`;
}
