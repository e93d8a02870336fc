import { blend } from './blend.ts';
import { riskLabel } from './label.ts';
import { causeInForce, flights, knownParts, partsHeld } from './recommendation.ts';
import { NEUTRAL } from './scales.ts';
import { UNKNOWN_WEATHER } from './score.ts';
import type { Assessment, ComponentKey, DayWeather } from './types.ts';

/** What the ends and the airline are called. */
export type FlightNames = { airline: string; origin: string; dest: string };

/** A few sentences on what the score rests on: the event in force, record, largest parts, weather, congestion, season, model, confidence. */
export function explanation(assessment: Assessment, names: FlightNames): string {
  return [
    ...inForce(assessment),
    history(assessment, names),
    drivers(assessment),
    weather(assessment, names),
    congestion(assessment, names),
    season(assessment),
    certainty(assessment),
  ].join(' ');
}

/** The event in force comes first: it outweighs what was usual. */
function inForce(assessment: Assessment): string[] {
  const cause = causeInForce(assessment);
  return cause === undefined ? [] : [`${cause.charAt(0).toUpperCase()}${cause.slice(1)}.`];
}

function history(assessment: Assessment, { airline, origin, dest }: FlightNames): string {
  const { tier, stats, held } = assessment;
  const route = `from ${origin} to ${dest}`;
  if (tier === 'no_data') {
    return partsHeld(held) === ''
      ? `Our history holds no flight ${route}, none of either airport and none of ${airline}, so the score is that of an average flight.`
      : `Our history holds no flight ${route}, so the score rests on its flights of ${partsHeld(held)}.`;
  }
  const whose =
    tier === 'exact'
      ? `Our history holds ${flights(stats.flightCount)} of ${airline} ${route}`
      : `Our history holds no flight of ${airline} ${route}, but ${flights(stats.flightCount)} of other airlines`;
  return `${whose}: ${outcomes(stats)}.`;
}

/** Fewer flights are counted, for their share of a hundred says more than they do. */
const FEW_FLIGHTS = 30;

function outcomes(stats: Assessment['stats']): string {
  const { flightCount, completedCount, delayedCount, cancelledCount, delayedMinSum } = stats;
  const share = (part: number, whole: number) =>
    flightCount < FEW_FLIGHTS ? `${part} of ${whole}` : percent(part, whole);
  const byHowMuch =
    delayedCount === 0
      ? ''
      : `, by ${Math.round(delayedMinSum / delayedCount)} minutes${delayedCount === 1 ? '' : ' on average'}`;
  const late =
    completedCount === 0
      ? 'how late they arrived is not known'
      : `${share(delayedCount, completedCount)} arrived more than 30 minutes late${byHowMuch}`;
  return `${late}, and ${share(cancelledCount, flightCount)} ${isOne(flightCount, cancelledCount) ? 'was' : 'were'} cancelled`;
}

function isOne(flightCount: number, part: number): boolean {
  return flightCount < FEW_FLIGHTS && part === 1;
}

/** The two largest parts of the score that are known; the model's is one of them where it has one. */
function drivers(assessment: Assessment): string {
  const { score, label, mlProbability, confidence } = assessment;
  const factors = knownParts(assessment).map(({ key, contribution }) => ({
    what: NOUNS[key],
    points: contribution,
  }));
  const model = { what: 'the model', points: blend(0, 100 * (mlProbability ?? 0), confidence) };
  const largest = [...factors, model]
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
    .slice(0, 2)
    .map(({ what, points }) => `${what} (${points.toFixed(1)} points)`);
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

function weather({ weatherDep, weatherArr }: Assessment, { origin, dest }: FlightNames): string {
  const isUnknown = ({ condition }: DayWeather) => condition === UNKNOWN_WEATHER.condition;
  if (isUnknown(weatherDep) && isUnknown(weatherArr)) return 'The weather is not known yet.';
  const at = (place: string, day: DayWeather) =>
    `${isUnknown(day) ? 'not known' : day.condition.toLowerCase()} at ${place}`;
  return `The weather: ${at(origin, weatherDep)}, ${at(dest, weatherArr)}.`;
}

function congestion(
  { congestionDep, congestionArr, unknown }: Assessment,
  { origin, dest }: FlightNames,
): string {
  const level = (value: number) => riskLabel(100 * value).toLowerCase();
  const [isUnknownDep, isUnknownArr] = (['congestion_dep', 'congestion_arr'] as const).map((end) =>
    unknown.includes(end),
  );
  if (isUnknownDep && isUnknownArr) return 'How congested the airports are is not known.';
  const dep = isUnknownDep ? 'not known' : level(congestionDep);
  const arr = isUnknownArr ? 'not known' : level(congestionArr);
  return `Congestion is ${dep} at ${origin} and ${arr} at ${dest}.`;
}

/** Half a step of the scale's tenths either way counts as average. */
const AVERAGE_SEASON = 0.05;

function season({ components, unknown }: Assessment): string {
  if (unknown.includes('seasonality')) return 'How the time of year matters there is not known.';
  const value = components.find(({ key }) => key === 'seasonality')?.value ?? NEUTRAL;
  if (Math.abs(value - NEUTRAL) <= AVERAGE_SEASON) return 'Delays on such a day are about average.';
  return `Delays are ${value > NEUTRAL ? 'more' : 'less'} likely than on an average day.`;
}

function certainty({ tier, mlProbability, confidence, danger }: Assessment): string {
  const model =
    mlProbability === undefined
      ? ''
      : `A model${(danger?.logOdds ?? 0) > 0 ? ' and the events in force put' : ' puts'} the probability of a delay at ${percent(mlProbability, 1)}. `;
  return tier === 'no_data'
    ? `${model}Without a record of the route, confidence is 0%.`
    : `${model}Confidence in the record is ${percent(confidence, 1)}.`;
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Number(((100 * part) / whole).toFixed(1))}%`;
}
