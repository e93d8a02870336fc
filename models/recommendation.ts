import { monthOfYear } from '../warehouse/ground/dates.ts';
import type { HolidayDay } from '../warehouse/store/types.ts';
import { topDriver } from './drivers.ts';
import { SAFE_CONFIDENCE } from './evidence.ts';
import { riskLabel } from './label.ts';
import type { Assessment, ComponentKey, Evidence, PartsOnRecord } from './types.ts';

/** The facts a recommendation uses. */
export type AdviceFacts = Evidence &
  Pick<Assessment, 'score' | 'tier' | 'components' | 'stats' | 'confidence' | 'danger' | 'holiday'>;

/** The advice for a route without flights in the history. */
const NO_RECORD = 'No delay record for this flight';

/**
 * Returns one sentence: advice on booking, the top driver, and a note if there is little evidence. A placeholder is
 * never named as a reason. No flight is called safe below `SAFE_CONFIDENCE`.
 */
export function buildRecommendation(facts: AdviceFacts): string {
  const cause = eventCause(facts);
  if (facts.ended !== undefined) {
    return `This airline no longer flies: its last flights on record were in ${monthText(facts.ended)}.`;
  }
  if (facts.tier === 'no_data') {
    return `${NO_RECORD}${cause === undefined ? '' : `, and ${cause}`}.`;
  }
  const label = riskLabel(facts.score);
  const reasonClause =
    cause === undefined ? driverClause(facts) : `, ${label === 'Low' ? 'though' : 'as'} ${cause}`;
  const isFirm = facts.confidence >= SAFE_CONFIDENCE && cause === undefined;
  return `${ADVICE[label](reasonClause, isFirm)}${evidenceNote(facts)}.`;
}

/**
 * An event is named as the main reason only if it adds at least these log-odds. They raise the odds of delay by half.
 */
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

/** Describes the top driver: the factor that raises or lowers the flight most compared with an average flight. */
function driverClause(facts: AdviceFacts): string {
  const driver = topDriver(facts);
  if (driver === undefined) return '';
  const isRaised = driver.points > 0;
  const words =
    driver.key === 'seasonality' && isHolidayReason(facts, isRaised)
      ? `the day (${facts.holiday.name})`
      : (isRaised ? RAISED_BY : LOWERED_BY)[driver.key].replace('#', recordOwner(facts));
  return `, ${isRaised ? 'raised' : 'lowered'} most by ${words}`;
}

/**
 * A holiday is named as the reason for a raised seasonal risk only if it raises the odds by at least a tenth. For a
 * lowered seasonal risk, the holiday must lower the odds by the same factor.
 */
const NAMED_HOLIDAY_LOG_ODDS = Math.log(1.1);

function isHolidayReason<Facts extends Pick<AdviceFacts, 'holiday'>>(
  facts: Facts,
  isRaised: boolean,
): facts is Facts & { holiday: Required<HolidayDay> } {
  const { name, logOdds = 0 } = facts.holiday ?? {};
  return name !== undefined && (isRaised ? logOdds : -logOdds) >= NAMED_HOLIDAY_LOG_ODDS;
}

/**
 * Words for factors that raise the risk. `#` is replaced by the route or the airports of the record, for example `this
 * route`.
 */
const RAISED_BY: Record<ComponentKey, string> = {
  delay_rate: 'the delay record of #',
  cancel_rate: 'the cancellation record of #',
  congestion: 'airport congestion',
  weather: 'the weather',
  seasonality: 'the time of year',
  event_risk: 'current events',
};

/** Words for factors that lower the risk. */
const LOWERED_BY: Record<ComponentKey, string> = {
  ...RAISED_BY,
  delay_rate: 'the good delay record of #',
  cancel_rate: 'the few cancellations of #',
  congestion: 'quiet airports',
  weather: 'good weather',
};

/** Minimum number of flights. Below it, the rates come mostly from similar flights. */
const RECORD_FLIGHTS = 30;

function recordOwner({ tier, stats }: AdviceFacts): string {
  if (stats.flightCount < RECORD_FLIGHTS) return 'similar flights';
  return tier === 'exact' ? 'this flight' : 'this route';
}

/**
 * For a route without flights, names the parts of the flight that have flights in the history: `these airports and this
 * airline`.
 */
export function partsOnRecord({ origin, dest, carrier }: PartsOnRecord): string {
  const airports =
    origin && dest ? 'these airports' : origin ? 'the departure airport' : 'the arrival airport';
  const parts = [(origin || dest) && airports, carrier && 'this airline'];
  return parts.filter((part) => typeof part === 'string').join(' and ');
}

/** Minimum worth of a record. Below it, the age of the record is given as the reason for a low confidence. */
const OLD_WORTH = 0.5;

function evidenceNote({ tier, stats, confidence, recordEnd, recordWorth }: AdviceFacts): string {
  if (tier === 'exact' && recordEnd !== undefined && recordWorth < OLD_WORTH) {
    return ` (old evidence: the record of this flight ends in ${monthText(recordEnd)})`;
  }
  const isThin = confidence < SAFE_CONFIDENCE;
  if (tier === 'exact') {
    return isThin ? ` (little evidence: ${formatFlights(stats.flightCount)} in our history)` : '';
  }
  return ' (based on other airlines: this one has no flights on this route in our history)';
}

/** Formats a number of flights: `1 flight`, `1,000 flights`. */
export function formatFlights(count: number): string {
  // `toLocaleString` is used only for large numbers, because it takes longer than the rest of the sentence.
  const number = count < 1_000 ? String(count) : count.toLocaleString('en-US');
  return `${number} ${count === 1 ? 'flight' : 'flights'}`;
}

/** Names of the months, formatted once. Formatting one date takes a twentieth of the time of a score. */
const MONTH_NAMES = Array.from({ length: 12 }, (_, at) =>
  new Date(Date.UTC(2025, at)).toLocaleString('en-GB', { month: 'long', timeZone: 'UTC' }),
);

/** Formats a month, `YYYY-MM`, as `December 2020`. */
export function monthText(month: string): string {
  return `${MONTH_NAMES[monthOfYear(month) - 1]} ${month.slice(0, 4)}`;
}
