import { SAFE_CONFIDENCE } from './evidence.ts';
import { riskLabel } from './label.ts';
import type { Assessment, Component, ComponentKey, Evidence, PartsOnRecord } from './types.ts';

/** The facts a recommendation uses. */
export type AdviceFacts = Evidence &
  Pick<Assessment, 'score' | 'tier' | 'components' | 'stats' | 'confidence' | 'danger'>;

/**
 * One sentence: what the score means for a booking, the largest known part of the score, and a note where evidence is
 * thin. A placeholder is never named as a reason, and no flight is called safe below `SAFE_CONFIDENCE`.
 */
export function buildRecommendation(facts: AdviceFacts): string {
  const cause = eventCause(facts);
  const driver = driverOf(facts);
  const driverClause = driver === undefined ? '' : `, mostly from ${driver}`;
  const label = riskLabel(facts.score);
  const reasonClause =
    cause === undefined ? driverClause : `, ${label === 'Low' ? 'though' : 'as'} ${cause}`;
  const isFirm = facts.confidence >= SAFE_CONFIDENCE && cause === undefined;
  return `${ADVICE[label](reasonClause, isFirm)}${evidenceNote(facts)}.`;
}

/** An event is named first if it adds at least these log-odds, which raise the odds of delay by half. */
const NAMED_LOG_ODDS = Math.log(1.5);

/** The worst event in force as a clause; undefined where its effect on the flight is small. */
export function eventCause({ danger }: Pick<AdviceFacts, 'danger'>): string | undefined {
  return danger !== undefined && danger.logOdds >= NAMED_LOG_ODDS ? danger.cause : undefined;
}

const ADVICE = {
  Low: (from: string, isFirm: boolean) =>
    isFirm
      ? `Safe to book: the risk is low${from}`
      : `The risk looks low${from}: check again closer to departure`,
  Moderate: (from: string) =>
    `Some risk${from}: consider a flexible fare and check again closer to departure`,
  High: (from: string) => `Elevated risk${from}: check alternatives or add buffer time`,
  'Very High': (from: string) => `High probability of disruption${from}: evaluate alternatives`,
};

/** The largest known part of the score, in words; undefined when no part is known. */
function driverOf(facts: AdviceFacts): string | undefined {
  const largest = knownDrivers(facts)[0];
  return largest && DRIVERS[largest.key].replace('#', recordOwner(facts));
}

/** The components that raise the score and are based on evidence, largest first. */
export function knownDrivers({ components, unknown }: Pick<AdviceFacts, 'components' | 'unknown'>) {
  const isUnknown = ({ key }: Component) =>
    (FIGURES[key] ?? []).length > 0 &&
    (FIGURES[key] ?? []).every((place) => unknown.includes(place));
  return components.filter((part) => part.contribution > 0 && !isUnknown(part));
}

/** The figures of each component. A component counts as known when at least one of its figures is known. */
const FIGURES: Partial<Record<ComponentKey, readonly Evidence['unknown'][number][]>> = {
  delay_rate: ['delay_rate'],
  cancel_rate: ['cancel_rate'],
  congestion: ['congestion_dep', 'congestion_arr'],
  weather: ['weather_dep', 'weather_arr'],
  seasonality: ['seasonality'],
};

/** Components in words; `#` is replaced by the owner of the record, such as `this route`. */
const DRIVERS: Record<ComponentKey, string> = {
  delay_rate: 'the delay record of #',
  cancel_rate: 'the cancellation record of #',
  congestion: 'airport congestion',
  weather: 'the weather',
  seasonality: 'the time of year',
  event_risk: 'current events',
};

/** Below this number of flights the rates come mostly from similar flights. */
const RECORD_FLIGHTS = 30;

function recordOwner({ tier, stats, hasRecord }: AdviceFacts): string {
  if (tier === 'no_data') return partsOnRecord(hasRecord);
  if (stats.flightCount < RECORD_FLIGHTS) return 'similar flights';
  return tier === 'exact' ? 'this flight' : 'this route';
}

/** The parts of a flight that are on record, for a route without flights: `these airports and this airline`. */
export function partsOnRecord({ origin, dest, carrier }: PartsOnRecord): string {
  const airports =
    origin && dest ? 'these airports' : origin ? 'the departure airport' : 'the arrival airport';
  const parts = [(origin || dest) && airports, carrier && 'this airline'];
  return parts.filter((part) => typeof part === 'string').join(' and ');
}

function evidenceNote({ tier, stats, confidence, hasRecord }: AdviceFacts): string {
  const isThin = confidence < SAFE_CONFIDENCE;
  if (tier === 'no_data') {
    const isUnknown = partsOnRecord(hasRecord) === '';
    return isUnknown
      ? ' (our history has no flights of this route, its airports or this airline: this is the score of an average flight)'
      : ' (little evidence: no flights on this route in our history)';
  }
  if (tier === 'exact') {
    return isThin ? ` (little evidence: ${formatFlights(stats.flightCount)} in our history)` : '';
  }
  return ' (based on other airlines: this one has no flights on this route in our history)';
}

/** `1 flight`, `1,000 flights`. */
export function formatFlights(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'flight' : 'flights'}`;
}
