import { blend } from './blend.ts';
import { riskLabel } from './label.ts';
import { eventCause, formatFlights, knownDrivers, partsOnRecord } from './recommendation.ts';
import { NEUTRAL } from './scales.ts';
import { UNKNOWN_WEATHER } from './score.ts';
import type { Assessment, ComponentKey, DayWeather } from './types.ts';

/** Display names of the airline and the two airports. */
export type FlightNames = { airline: string; origin: string; dest: string };

/**
 * A few sentences on the basis of the score: event in force, record, largest parts, weather, congestion, season, model,
 * confidence.
 */
export function buildExplanation(assessment: Assessment, names: FlightNames): string {
  return [
    ...eventSentences(assessment),
    recordSentence(assessment, names),
    scoreSentence(assessment),
    weatherSentence(assessment, names),
    congestionSentence(assessment, names),
    seasonSentence(assessment),
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
    return partsOnRecord(hasRecord) === ''
      ? `Our history has no flights ${route}. It has no flights of these airports or of ${airline} either, so this is the score of an average flight.`
      : `Our history has no flights ${route}. The score is based on flights of ${partsOnRecord(hasRecord)}.`;
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
      ? 'their arrival times are not known'
      : `${share(delayedCount, completedCount)} arrived more than 30 minutes late${averageDelay}`;
  return `${late}, and ${share(cancelledCount, flightCount)} ${isOne(flightCount, cancelledCount) ? 'was' : 'were'} cancelled`;
}

function isOne(flightCount: number, part: number): boolean {
  return flightCount < FEW_FLIGHTS && part === 1;
}

/** The two largest known parts of the score, including the part of the model. */
function scoreSentence(assessment: Assessment): string {
  const { score, label, mlProbability, confidence } = assessment;
  const factors = knownDrivers(assessment).map(({ key, contribution }) => ({
    noun: NOUNS[key],
    points: contribution,
  }));
  const model = { noun: 'the model', points: blend(0, 100 * (mlProbability ?? 0), confidence) };
  const largest = [...factors, model]
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
    .slice(0, 2)
    .map(({ noun, points }) => `${noun} (${points.toFixed(1)} points)`);
  const from = largest.length === 0 ? '' : `, mostly from ${largest.join(' and ')}`;
  return `The risk is ${label.toLowerCase()}, ${score} of 100${from}.`;
}

const NOUNS: Record<ComponentKey, string> = {
  delay_rate: 'the delay record',
  cancel_rate: 'the cancellation record',
  congestion: 'airport congestion',
  weather: 'the weather',
  seasonality: 'the time of year',
  event_risk: 'current events',
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

/** Largest difference from the middle of the scale that counts as average. */
const AVERAGE_SEASON = 0.05;

function seasonSentence({ components, unknown }: Assessment): string {
  if (unknown.includes('seasonality')) return 'The effect of the time of year is not known.';
  const value = components.find(({ key }) => key === 'seasonality')?.value ?? NEUTRAL;
  if (Math.abs(value - NEUTRAL) <= AVERAGE_SEASON) {
    return 'Delays are about as likely as on an average day.';
  }
  return `Delays are ${value > NEUTRAL ? 'more' : 'less'} likely than on an average day.`;
}

function confidenceSentences({ tier, mlProbability, confidence, danger }: Assessment): string {
  const model =
    mlProbability === undefined
      ? ''
      : `A model${(danger?.logOdds ?? 0) > 0 ? ', adjusted for the events in force,' : ''} puts the probability of a delay at ${percent(mlProbability, 1)}. `;
  return tier === 'no_data'
    ? `${model}Confidence is 0%: there is no record of the route.`
    : `${model}Confidence in the record is ${percent(confidence, 1)}.`;
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Number(((100 * part) / whole).toFixed(1))}%`;
}
