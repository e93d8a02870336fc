import type { Rates, ScoreStore } from '../warehouse/store/types.ts';
import { effectOdds, expectedLogOdds } from './effect-odds.ts';
import type { Factors } from './components.ts';
import { expit } from '../warehouse/ground/log-odds.ts';
import { cancelledRateValue, delayedRateValue, hourValue, seasonValue } from './scales.ts';
import { dayShrinkage, dayOdds } from './season.ts';
import type { DayWeather, FlightQuery, LiveInputs } from './types.ts';
import { WEATHER_SHARE, weatherLogOdds } from './weather-odds.ts';

/**
 * Computes each factor of a flight from the statistics, the weather and the events. `cancel_rate` turns the log-odds of
 * being late into log-odds of being late or cancelled. `cancel_rate` adds the same log-odds at every hour and on every
 * day, because the causes of delays also cause cancellations.
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
  const weather = WEATHER_SHARE * weatherLogOdds(query, store, live);
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

/** Log-odds by which the day is expected to be worse than an average day. */
function seasonLogOdds(query: FlightQuery, store: ScoreStore): number {
  const odds = dayOdds(query, store);
  const shrinkage = dayShrinkage(store.network.calendarDays);
  return (
    shrinkage.month * Math.log(odds.month) +
    shrinkage.weekday * Math.log(odds.weekday) +
    shrinkage.holiday * Math.log(odds.holiday)
  );
}
