import { openDatabase } from '../connect.ts';
import { appendRows } from './append-rows.ts';

/**
 * A frozen forecast of a flight, with the values behind it. It never changes after the night in which it was made.
 * Unknown values are absent.
 */
export type FrozenForecast = {
  /** UTC date on which the forecast was frozen. */
  night: string;
  frozen_at: string;
  /** Days from the night to the date of the flight. */
  horizon_days: number;
  provider: string;
  carrier: string;
  origin: string;
  dest: string;
  crs_dep_hour?: number;
  flight_date: string;
  /**
   * The airline-routes of a provider are divided into thirds by number of flights. This is the third that contains the
   * airline-route.
   */
  traffic: 'busy' | 'medium' | 'thin';
  tier: string;
  score: number;
  label: string;
  confidence: number;
  /** P(more than 30 minutes late), and P(late or cancelled); absent without a model. */
  late_probability?: number;
  disrupted_probability?: number;
  /** The weather at both ends: forecast or usual weather, the time at which a forecast was fetched, and the values. */
  dep_weather_basis: string;
  dep_weather_at?: string;
  dep_weather_risk: number;
  dep_temp_c?: number;
  dep_wind_max_kmh?: number;
  dep_precip_max_mm?: number;
  arr_weather_basis: string;
  arr_weather_at?: string;
  arr_weather_risk: number;
  arr_temp_c?: number;
  arr_wind_max_kmh?: number;
  arr_precip_max_mm?: number;
  /** The effect of news and airport status, and the worst event in words; absent without an event. */
  event_log_odds?: number;
  event_cause?: string;
  store_version: string;
  model_version?: string;
};

/** Writes frozen forecasts to a Parquet file. */
export async function writeFrozenForecasts(
  file: string,
  forecasts: readonly FrozenForecast[],
): Promise<void> {
  const db = await openDatabase({ threads: 1 });
  try {
    await db.runFile('record/frozen');
    await appendRows(db, 'frozen', forecasts);
    await db.runFile('record/write_frozen', { file });
  } finally {
    db.close();
  }
}
