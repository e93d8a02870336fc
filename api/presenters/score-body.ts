import { buildRecommendation } from '../../models/recommendation.ts';
import { round } from '../../warehouse/ground/numbers.ts';
import type { WatchedFlight } from '../../warehouse/live/watches.ts';
import type { Airport, ScoreStore } from '../../warehouse/store/types.ts';
import type { Assessment, DayWeather } from '../../models/types.ts';
import type { KnownNumber } from '../scoring/flight-number.ts';
import type { KnownFlight } from '../scoring/flight-query.ts';
import type { ScoreBody } from '../schemas/score.ts';

/** Builds the body without optional parts. Field names, order and decimals follow the specification. */
export function scoreBodyOf(
  flight: KnownFlight,
  assessment: Assessment,
  store: ScoreStore,
): ScoreBody {
  const { query, airline, origin, dest } = flight;
  return {
    score: assessment.score,
    score_linear: assessment.scoreLinear,
    score_ml: assessment.scoreMl ?? null,
    ml_available: assessment.scoreMl !== undefined,
    label: assessment.label,
    recommendation: buildRecommendation(assessment),
    input: inputBodyOf({
      origin: query.origin,
      dest: query.dest,
      airline: query.carrier,
      date: query.flightDate,
      dep_time: flight.depTime,
      flight_number: flight.number?.flightNumber,
      schedule_month: flight.number?.scheduleMonth,
    }),
    stats: statsOf(assessment),
    components: assessment.components.map(({ key, name, value, label, contribution }) => ({
      key,
      name,
      value: round(value, 4),
      label,
      contribution: round(contribution, 2),
    })),
    weather_dep: weatherOf(assessment.weatherDep),
    weather_arr: weatherOf(assessment.weatherArr),
    data_source: assessment.tier,
    data_provider: store.manifest.provider,
    airline_info: { name: airline.name, country: airline.country },
    origin_info: placeOf(origin),
    dest_info: placeOf(dest),
  };
}

/** Builds the field that repeats the requested flight. */
export function inputBodyOf({
  origin,
  dest,
  airline,
  date,
  dep_time,
  flight_number,
  schedule_month,
}: WatchedFlight): ScoreBody['input'] {
  return {
    origin,
    destination: dest,
    airline,
    flight_date: date,
    ...(dep_time !== undefined && { dep_time }),
    ...(flight_number !== undefined && { flight_number, schedule_month }),
  };
}

/** Builds the fields with the flight number and the month of its schedule. Empty without a flight number. */
export function numberFieldsOf({ number }: { number?: KnownNumber | undefined }) {
  if (!number) return {};
  return { flight_number: number.flightNumber, schedule_month: number.scheduleMonth };
}

/** These rates come directly from counts. Only the score uses shrunk rates. */
function statsOf(assessment: Assessment): ScoreBody['stats'] {
  const { stats, mlProbability } = assessment;
  return {
    delay_rate_pct: round(100 * ratio(stats.delayedCount, stats.completedCount), 2),
    cancel_rate_pct: round(100 * ratio(stats.cancelledCount, stats.flightCount), 2),
    avg_delay_min: round(ratio(stats.delayedMinSum, stats.delayedCount), 1),
    n_flights: stats.flightCount,
    confidence_pct: Math.round(100 * assessment.confidence),
    congestion_dep: round(assessment.congestionDep, 3),
    congestion_arr: round(assessment.congestionArr, 3),
    ml_probability: mlProbability === undefined ? null : round(100 * mlProbability, 2),
  };
}

function weatherOf(weather: DayWeather): ScoreBody['weather_dep'] {
  return {
    score: round(weather.score, 4),
    condition: weather.condition,
    temp: reading(weather.tempC),
    wind: reading(weather.windMaxKmh),
    precip: reading(weather.precipMaxMm),
  };
}

function reading(value: number | undefined): number | null {
  return value === undefined ? null : round(value, 1);
}

function placeOf({ name, city, country }: Airport): ScoreBody['origin_info'] {
  return { name, city, country };
}

/** Returns `part / whole`, and 0 when `whole` is 0. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
