import { driversOf } from './drivers.ts';
import { riskLabel } from './label.ts';
import { eventCause, formatFlights, monthText, partsOnRecord } from './recommendation.ts';
import { NEUTRAL } from './scales.ts';
import { UNKNOWN_WEATHER } from './score.ts';
import type { Assessment, ComponentKey, DayWeather } from './types.ts';

/** Display names of the airline and the two airports. */
export type FlightNames = { airline: string; origin: string; dest: string };

/**
 * Returns a few sentences that explain the score, in this order: event in force, record, drivers, weather, congestion,
 * season, holiday, model, confidence.
 */
export function buildExplanation(assessment: Assessment, names: FlightNames): string {
  return [
    ...eventSentences(assessment),
    ...(assessment.ended === undefined ? [] : [`${names.airline} no longer flies.`]),
    recordSentence(assessment, names),
    scoreSentence(assessment),
    weatherSentence(assessment, names),
    congestionSentence(assessment, names),
    seasonSentence(assessment),
    ...holidaySentence(assessment),
    confidenceSentences(assessment),
  ].join(' ');
}

/** The event in force comes first, because it affects the flight more than the record does. */
function eventSentences(assessment: Assessment): string[] {
  const cause = eventCause(assessment);
  return cause === undefined ? [] : [`${cause.charAt(0).toUpperCase()}${cause.slice(1)}.`];
}

function recordSentence(assessment: Assessment, { airline, origin, dest }: FlightNames): string {
  const { tier, stats, hasRecord } = assessment;
  const route = `from ${origin} to ${dest}`;
  if (tier === 'no_data') {
    // If the history has flights of both airports but none on the route, probably no airline flies the route.
    // Otherwise, the history may just lack flights of an airport.
    const gap =
      hasRecord.origin && hasRecord.dest
        ? `No airline is known to fly ${route}.`
        : `Our history has no flights ${route}.`;
    return partsOnRecord(hasRecord) === ''
      ? `${gap} It has no flights of these airports or of ${airline} either, so this is the score of an average flight.`
      : `${gap} The score is based on flights of ${partsOnRecord(hasRecord)}.`;
  }
  const subject =
    tier === 'exact'
      ? `Our history has ${formatFlights(stats.flightCount)} of ${airline} ${route}`
      : `Our history has no flights of ${airline} ${route}, but ${formatFlights(stats.flightCount)} of other airlines`;
  return `${subject}: ${outcomes(stats)}.`;
}

/** Below this number of flights, sentences give counts instead of percentages. */
const FEW_FLIGHTS = 30;

function outcomes(stats: Assessment['stats']): string {
  const { flightCount, completedCount, delayedCount, cancelledCount, delayedMinSum } = stats;
  const share = (part: number, whole: number) =>
    flightCount < FEW_FLIGHTS ? `${part} of ${whole}` : percent(part, whole);
  const averageDelay =
    delayedCount === 0
      ? ''
      : `, by ${Math.round(delayedMinSum / delayedCount)} minutes${delayedCount === 1 ? '' : ' on average'}`;
  const late =
    completedCount === 0
      ? 'their arrival times are unknown'
      : `${share(delayedCount, completedCount)} arrived more than 30 minutes late${averageDelay}`;
  return `${late}, and ${share(cancelledCount, flightCount)} ${isOne(flightCount, cancelledCount) ? 'was' : 'were'} cancelled`;
}

function isOne(flightCount: number, part: number): boolean {
  return flightCount < FEW_FLIGHTS && part === 1;
}

/** A factor is mentioned only if it adds or removes at least this many points, compared with an average flight. */
const MIN_POINTS = 0.5;

/** Returns a sentence with the score, and with the two factors that differ most from an average flight. */
function scoreSentence(assessment: Assessment): string {
  const { score, label, tier, hasRecord } = assessment;
  // Without flights on the route, the rates come from other flights of the airports and the airline.
  const owner = tier === 'no_data' ? ` of ${partsOnRecord(hasRecord)}` : '';
  const nounOf = (key: ComponentKey) => NOUNS[key] + (key.endsWith('_rate') ? owner : '');
  const clauses = driversOf(assessment)
    .filter(({ points }) => Math.abs(points) >= MIN_POINTS)
    .toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points))
    .slice(0, 2)
    .map(({ key, points }) =>
      points > 0
        ? `${nounOf(key)} adds ${points.toFixed(1)} points`
        : `${nounOf(key)} takes away ${(-points).toFixed(1)} points`,
    );
  const comparison =
    clauses.length === 0
      ? 'Every known factor is close to that of an average flight.'
      : `Compared with an average flight, ${clauses.join(' and ')}.`;
  return `The risk is ${label.toLowerCase()}, ${score} of 100. ${comparison}`;
}

const NOUNS: Record<ComponentKey, string> = {
  delay_rate: 'the delay record',
  cancel_rate: 'the cancellation record',
  congestion: 'airport congestion',
  weather: 'the weather',
  seasonality: 'the time of year',
  event_risk: 'the event in force',
};

function weatherSentence(
  { weatherDep, weatherArr }: Assessment,
  { origin, dest }: FlightNames,
): string {
  const isUnknown = ({ condition }: DayWeather) => condition === UNKNOWN_WEATHER.condition;
  if (isUnknown(weatherDep) && isUnknown(weatherArr)) return 'The weather is not known yet.';
  const at = (place: string, day: DayWeather) =>
    `${isUnknown(day) ? 'not known' : day.condition.toLowerCase()} at ${place}`;
  return `Weather: ${at(origin, weatherDep)}, ${at(dest, weatherArr)}.`;
}

function congestionSentence(
  { congestionDep, congestionArr, unknown }: Assessment,
  { origin, dest }: FlightNames,
): string {
  const level = (value: number) => riskLabel(100 * value).toLowerCase();
  const [isUnknownDep, isUnknownArr] = (['congestion_dep', 'congestion_arr'] as const).map((end) =>
    unknown.includes(end),
  );
  if (isUnknownDep && isUnknownArr) return 'Congestion at the airports is not known.';
  const dep = isUnknownDep ? 'not known' : level(congestionDep);
  const arr = isUnknownArr ? 'not known' : level(congestionArr);
  return `Congestion is ${dep} at ${origin} and ${arr} at ${dest}.`;
}

/** If the season differs from the middle of the scale by no more than this, it is called average. */
const AVERAGE_SEASON = 0.05;

/** A holiday is mentioned only if it changes the odds by at least this share. */
const NAMED_HOLIDAY_ODDS = 0.05;

function holidaySentence({ holiday }: Assessment): string[] {
  if (holiday?.name === undefined) return [];
  const odds = Math.exp(holiday.logOdds);
  if (Math.abs(odds - 1) < NAMED_HOLIDAY_ODDS) return [];
  return [
    `The day is special (${holiday.name}): the odds of a delay are ${odds.toFixed(2)} times those of the same weekday in the month.`,
  ];
}

function seasonSentence({ components, unknown }: Assessment): string {
  if (unknown.includes('seasonality')) return 'The effect of the time of year is not known.';
  const value = components.find(({ key }) => key === 'seasonality')?.value ?? NEUTRAL;
  if (Math.abs(value - NEUTRAL) <= AVERAGE_SEASON) {
    return 'Delays are about as likely as on an average day.';
  }
  return `Delays are ${value > NEUTRAL ? 'more' : 'less'} likely than on an average day.`;
}

function confidenceSentences(assessment: Assessment): string {
  const { tier, mlProbability, confidence, danger, recordEnd, recordWorth } = assessment;
  const model =
    mlProbability === undefined
      ? ''
      : `A model${(danger?.logOdds ?? 0) > 0 ? ', adjusted for the events in force,' : ''} puts the probability of a delay at ${percent(mlProbability, 1)}. `;
  return tier === 'no_data'
    ? `${model}Confidence is 0%: there is no record of the route.`
    : `${model}Confidence in the record${recordWorth < 1 && recordEnd !== undefined ? `, which ends in ${monthText(recordEnd)},` : ''} is ${percent(confidence, 1)}.`;
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Number(((100 * part) / whole).toFixed(1))}%`;
}
