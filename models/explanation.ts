import { blend } from './blend.ts';
import { riskLabel } from './label.ts';
import { NEUTRAL } from './scales.ts';
import { UNKNOWN_WEATHER } from './score.ts';
import type { Assessment, ComponentKey, DayWeather } from './types.ts';

/** What the ends and the airline are called. */
export type FlightNames = { airline: string; origin: string; dest: string };

/** A few sentences on what the score rests on: record, largest parts, weather, congestion, season, model, confidence. */
export function explanation(assessment: Assessment, names: FlightNames): string {
  return [
    history(assessment, names),
    drivers(assessment),
    weather(assessment, names),
    congestion(assessment, names),
    season(assessment),
    certainty(assessment),
  ].join(' ');
}

function history({ tier, stats }: Assessment, { airline, origin, dest }: FlightNames): string {
  const route = `from ${origin} to ${dest}`;
  if (tier === 'no_data') {
    return `Our history holds no flight ${route}, so the score rests on what is known of the airports and of ${airline}.`;
  }
  const { flightCount, completedCount, delayedCount, cancelledCount, delayedMinSum } = stats;
  const whose =
    tier === 'exact'
      ? `Of ${count(flightCount)} flights of ${airline} ${route}`
      : `Our history holds no flight of ${airline} ${route}; of ${count(flightCount)} flights of other airlines`;
  const byHowMuch =
    delayedCount === 0 ? '' : `, by ${Math.round(delayedMinSum / delayedCount)} minutes on average`;
  return (
    `${whose}, ${percent(delayedCount, completedCount)} arrived more than 30 minutes late${byHowMuch}, ` +
    `and ${percent(cancelledCount, flightCount)} were cancelled.`
  );
}

/** The two largest parts of the score; the model's is one of them where it has one. */
function drivers({ score, label, components, mlProbability, confidence }: Assessment): string {
  const factors = components.map(({ key, contribution }) => ({
    what: NOUNS[key],
    points: contribution,
  }));
  const model = { what: 'the model', points: blend(0, 100 * (mlProbability ?? 0), confidence) };
  const [first = '', second = ''] = [...factors, model]
    .toSorted((a, b) => b.points - a.points)
    .map(({ what, points }) => `${what} (${points.toFixed(1)} points)`);
  return `The risk is ${label.toLowerCase()}, ${score} of 100, mostly from ${first} and ${second}.`;
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
  { congestionDep, congestionArr }: Assessment,
  { origin, dest }: FlightNames,
): string {
  const level = (value: number) => riskLabel(100 * value).toLowerCase();
  return `Congestion is ${level(congestionDep)} at ${origin} and ${level(congestionArr)} at ${dest}.`;
}

/** Half a step of the scale's tenths either way counts as average. */
const AVERAGE_SEASON = 0.05;

function season({ components }: Assessment): string {
  const value = components.find(({ key }) => key === 'seasonality')?.value ?? NEUTRAL;
  if (Math.abs(value - NEUTRAL) <= AVERAGE_SEASON) return 'Delays on such a day are about average.';
  return `Delays are ${value > NEUTRAL ? 'more' : 'less'} likely than on an average day.`;
}

function certainty({ mlProbability, confidence }: Assessment): string {
  const model =
    mlProbability === undefined
      ? ''
      : `A model puts the probability of a delay at ${percent(mlProbability, 1)}. `;
  return `${model}Confidence in the record is ${percent(confidence, 1)}.`;
}

function count(flights: number): string {
  return flights.toLocaleString('en-US');
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Number(((100 * part) / whole).toFixed(1))}%`;
}
