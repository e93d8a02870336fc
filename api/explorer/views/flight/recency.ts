import { flightCount, month, monthsAgo, timeAgo } from '../format.ts';
import type { FlightData } from './flight-data.ts';

/**
 * Describes how recent the data behind the score are: the flight records, the monthly delay figures and the weather.
 */
export function recencyText({ score, known_now, today }: FlightData, locale: string): string {
  const { stats, lineage } = score;
  const { record, levels_until } = lineage;
  const flights = flightCount(stats.n_flights, locale);
  const parts = [
    record &&
      `${flights} until ${month(record.last, locale)} (${monthsAgo(record.last, today, locale)})`,
    known_now.length > 0 &&
      levels_until !== null &&
      `monthly delay figures until ${month(levels_until, locale)}`,
    weatherText(lineage, locale),
  ].filter((part) => typeof part === 'string');
  return `Data: ${parts.join('; ')}.`;
}

/**
 * Describes the age of the weather forecasts. If the forecasts for the two airports differ in age, uses the older one.
 * Without a forecast, the score uses typical weather.
 */
function weatherText(
  { weather_dep, weather_arr }: FlightData['score']['lineage'],
  locale: string,
): string {
  const ages = [weather_dep, weather_arr]
    .filter(({ basis }) => basis === 'forecast')
    .flatMap(({ age_min }) => age_min ?? []);
  return ages.length === 0
    ? 'typical weather'
    : `weather forecasts fetched ${timeAgo(Math.max(...ages), locale)}`;
}
