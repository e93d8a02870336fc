import type { Forecast } from '../warehouse/live/forecasts.ts';
import type { ScoreStore, WeatherReadings } from '../warehouse/store/types.ts';
import { monthOfYear } from '../warehouse/ground/dates.ts';
import type { DayWeather } from './types.ts';
import { weatherCondition, weatherRisk } from './weather-risk.ts';

/** A forecast that missed a dozen refreshes is no better than what the month is usually like. */
const MAX_FORECAST_AGE_MS = 36 * 3_600_000;

const MONTHS =
  'January February March April May June July August September October November December';
const MONTH_NAMES = MONTHS.split(' ');

export type WeatherSources = {
  store: Pick<ScoreStore, 'climatology'>;
  forecast: (airport: string) => Forecast | undefined;
  now: Date;
};

/**
 * The weather at an airport on one of its local days: the forecast where there is a fresh one for that day, else what
 * the month is usually like there; undefined when nothing is known.
 */
export function dayWeather(
  airport: string,
  date: string,
  { store, forecast, now }: WeatherSources,
): DayWeather | undefined {
  const fetched = forecast(airport);
  const readings = fetched?.days.get(date);
  if (fetched && readings && isForecastFresh(fetched.fetchedAt, now)) {
    return remembered(readings, fetched.fetchedAt, () => ({
      score: weatherRisk(readings),
      condition: weatherCondition(readings),
      basis: 'forecast',
      fetchedAt: fetched.fetchedAt,
      ...shown(readings),
    }));
  }
  const month = monthOfYear(date);
  const typical = store.climatology(airport, month);
  if (!typical) return undefined;
  return remembered(typical, month, () => ({
    score: typical.risk,
    condition: `Typical for ${MONTH_NAMES[month - 1]}: ${character(typical.risk)}`,
    basis: 'climatology',
    ...shown(typical),
  }));
}

type Remembered = { of: string | number; weather: Readonly<DayWeather> };

/** Weather by the readings it is made of, for as long as those are there: many flights ask for the same. */
const WEATHER = new WeakMap<WeatherReadings, Remembered>();

/** What was made of the readings before, as of the same time or month; else it is made now. */
function remembered(
  readings: WeatherReadings,
  of: string | number,
  make: () => DayWeather,
): Readonly<DayWeather> {
  const known = WEATHER.get(readings);
  if (known?.of === of) return known.weather;
  const weather = make();
  WEATHER.set(readings, { of, weather });
  return weather;
}

/** A month in a word. It has some rain nearly everywhere, so its mean day says less than the risk of its days. */
function character(risk: number): string {
  if (risk < 0.2) return 'mostly calm';
  return risk < 0.4 ? 'changeable' : 'often rough';
}

/** Whether a forecast still counts; a clock that runs behind ours makes none stale. */
export function isForecastFresh(fetchedAt: string, now: Date): boolean {
  return now.getTime() - Date.parse(fetchedAt) <= MAX_FORECAST_AGE_MS;
}

function shown({ tempMeanC, windMaxKmh, precipMaxMm }: WeatherReadings) {
  return {
    ...(tempMeanC !== undefined && { tempC: tempMeanC }),
    ...(windMaxKmh !== undefined && { windMaxKmh }),
    ...(precipMaxMm !== undefined && { precipMaxMm }),
  };
}
