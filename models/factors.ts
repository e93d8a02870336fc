import type { HolidayDay, Rates, ScoreStore } from '../warehouse/store/types.ts';
import { averageFlight, cancelLogOdds } from './average-flight.ts';
import type { Factors } from './components.ts';
import type { Danger } from './danger.ts';
import { congestionLogOdds, type EndsCongestion } from './congestion.ts';
import { effectOdds, expectedLogOdds } from './effect-odds.ts';
import { expit } from '../warehouse/ground/log-odds.ts';
import { cancelledRateValue, delayedRateValue, NEUTRAL, seasonValue } from './scales.ts';
import { dayLogOdds, dayShrinkage } from './season.ts';
import type { DayWeather, Evidence, FlightQuery, Placeholder } from './types.ts';
import { WEATHER_SHARE, weatherLogOdds } from './weather-odds.ts';

/** The inputs of the factors, apart from the flight and the store. */
export type FactorInputs = {
  rates: Rates;
  congestion: EndsCongestion;
  evidence: Evidence;
  weatherDep: DayWeather;
  weatherArr: DayWeather;
  /** Effect of holidays on the day; undefined without evidence for the season. */
  holiday: HolidayDay | undefined;
  /** Undefined if no event in force affects the flight. */
  danger: Danger | undefined;
};

/**
 * Computes the factors of a flight from the statistics, the weather and the events.
 * - `cancel_rate` is the difference between the log-odds of being late or cancelled and the log-odds of being late.
 *   This difference is the same at every hour and on every day, because the causes of delays also cause cancellations.
 * - `congestion` is the part of the hour's delays that the traffic explains. The rest belongs to `delay_rate`.
 * - An unknown factor adds nothing. If the record has neither the airports nor the airline, `delay_rate` has the
 *   log-odds of an average flight.
 */
export function factorsOf(query: FlightQuery, store: ScoreStore, inputs: FactorInputs): Factors {
  const { rates, congestion, evidence, weatherDep, weatherArr, holiday, danger } = inputs;
  const { unknown, isHourKnown } = evidence;
  const average = averageFlight(store);
  const isKnown = (name: Placeholder) => !unknown.includes(name);
  const traffic = congestionLogOdds(congestion, unknown, store);
  const late = expectedLogOdds(store) + effectOdds(isHourKnown ? query : withoutHour(query), store);
  const averageLate = average.delay_rate + average.congestion;
  const delayRate = isKnown('delay_rate') ? late : averageLate + average.cancel_rate;
  const cancelRate = isKnown('cancel_rate')
    ? cancelLogOdds(rates.delayedRate, rates.cancelledRate)
    : 0;
  const season = holiday === undefined ? 0 : seasonLogOdds(query, store, holiday);
  const weather = WEATHER_SHARE * weatherLogOdds(query, store, inputs);
  const event = danger?.logOdds ?? 0;
  const averageTraffic = (average.congestion * knownEnds(unknown)) / 2;
  return {
    delay_rate: {
      value: delayedRateValue(expit(isKnown('delay_rate') ? late : averageLate)),
      logOdds: delayRate - traffic,
      aboveAverage: isKnown('delay_rate') ? late - traffic - average.delay_rate : 0,
    },
    cancel_rate: {
      value: cancelledRateValue(rates.cancelledRate),
      logOdds: cancelRate,
      aboveAverage: isKnown('cancel_rate') ? cancelRate - average.cancel_rate : 0,
    },
    congestion: {
      value: (congestion.dep + congestion.arr) / 2,
      logOdds: traffic,
      aboveAverage: traffic - averageTraffic,
    },
    weather: {
      value: Math.max(weatherDep.score, weatherArr.score),
      logOdds: weather,
      aboveAverage: weather,
    },
    seasonality: {
      value: isKnown('seasonality') ? seasonValue(Math.exp(season)) : NEUTRAL,
      logOdds: season,
      aboveAverage: season,
    },
    event_risk: { value: danger?.risk ?? 0, logOdds: event, aboveAverage: event },
  };
}

function withoutHour(query: FlightQuery): FlightQuery {
  return { ...query, crsDepHour: undefined };
}

/** Number of airports, 0 to 2, whose congestion is known. */
function knownEnds(unknown: readonly Placeholder[]): number {
  return Number(!unknown.includes('congestion_dep')) + Number(!unknown.includes('congestion_arr'));
}

/** Log-odds of delay on the day of the flight, relative to an average day. */
function seasonLogOdds(query: FlightQuery, store: ScoreStore, day: HolidayDay): number {
  const { month, weekday, holiday } = dayLogOdds(query, store, day);
  const shrinkage = dayShrinkage(store.network.calendarDays);
  return shrinkage.month * month + shrinkage.weekday * weekday + shrinkage.holiday * holiday;
}
