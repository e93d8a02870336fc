import type { Rates, ScoreStore } from '../warehouse/store/types.ts';
import { effectOdds, expectedLogOdds } from './effect-odds.ts';
import type { Factors } from './components.ts';
import { expit } from '../warehouse/ground/log-odds.ts';
import { cancelledRateValue, delayedRateValue, hourValue, seasonValue } from './scales.ts';
import { dayBelief, dayOdds } from './season.ts';
import type { DayWeather, FlightQuery, LiveInputs } from './types.ts';
import { WEATHER_BELIEF, weatherLogOdds } from './weather-odds.ts';

/**
 * What the statistics, the weather and events say of a flight, factor by factor. The cancelled flights of its record turn
 * the log-odds of being late into those of being late or cancelled; they add the same at every hour and on every day,
 * for what makes flights late has them cancelled, too.
 */
export function factorsOf(
  query: FlightQuery,
  store: ScoreStore,
  { delayedRate, cancelledRate }: Rates,
  live: LiveInputs & Record<'weatherDep' | 'weatherArr', DayWeather>,
): Factors {
  const effects = effectOdds(query, store);
  const delayRate = expectedLogOdds(store) + effects.delay_rate;
  const season = seasonLogOdds(query, store);
  const weather = WEATHER_BELIEF * weatherLogOdds(query, store, live);
  return {
    delay_rate: { value: delayedRateValue(expit(delayRate)), logOdds: delayRate },
    cancel_rate: {
      value: cancelledRateValue(cancelledRate),
      logOdds: Math.log1p(cancelledRate / ((1 - cancelledRate) * delayedRate)),
    },
    congestion: { value: hourValue(Math.exp(effects.congestion)), logOdds: effects.congestion },
    weather: { value: Math.max(live.weatherDep.score, live.weatherArr.score), logOdds: weather },
    seasonality: { value: seasonValue(Math.exp(season)), logOdds: season },
    event_risk: { value: live.danger?.risk ?? 0, logOdds: live.danger?.logOdds ?? 0 },
  };
}

/** By how much the day is believed to be worse than an average one. */
function seasonLogOdds(query: FlightQuery, store: ScoreStore): number {
  const odds = dayOdds(query, store);
  const belief = dayBelief(store.network.calendarDays);
  return (
    belief.month * Math.log(odds.month) +
    belief.weekday * Math.log(odds.weekday) +
    belief.holiday * Math.log(odds.holiday)
  );
}
