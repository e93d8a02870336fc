import type { StoreTableName } from '../../../warehouse/store/tables.ts';

/**
 * Maps each table of the store to the fields of `/api/score` that are computed from the table. `/explorer` stands for
 * the explorer's pages of airports, airlines and routes.
 */
export const FIELDS_BY_TABLE: Record<StoreTableName, readonly string[]> = {
  network: ['score', 'score_linear', 'stats.confidence_pct'],
  airports: ['origin_info', 'dest_info'],
  airlines: ['airline_info'],
  routes: ['stats', 'data_source'],
  route_carriers: [
    'stats.delay_rate_pct',
    'stats.cancel_rate_pct',
    'stats.avg_delay_min',
    'stats.n_flights',
    'stats.confidence_pct',
    'data_source',
    'components',
  ],
  route_records: ['lineage.record'],
  group_rates: ['components'],
  congestion: ['stats.congestion_dep', 'stats.congestion_arr', 'components'],
  departure_hours: ['score', 'score_linear', 'by_hour'],
  brand_operators: ['score', 'stats', 'components', 'operators'],
  climatology: ['weather_dep', 'weather_arr', 'components'],
  delay_effects: ['score', 'score_linear', 'components', 'by_hour'],
  outcome_effects: ['outlook', 'distribution', 'payout'],
  flight_odds: ['score', 'score_linear', 'components', 'drivers'],
  season_odds: ['components', 'recommendation'],
  holiday_days: ['components', 'recommendation', 'drivers'],
  flight_numbers: ['input'],
  record_cells: ['/explorer'],
  comparisons: ['/explorer'],
  recent_months: ['/explorer'],
};

/** Maps each input that is not a store table to the response fields of `/api/score` that use the input. */
export const FIELDS_BY_OTHER_SOURCE: Readonly<Record<string, readonly string[]>> = {
  'the request': ['input'],
  'the model of the store': [
    'score',
    'score_ml',
    'ml_available',
    'stats.ml_probability',
    'outlook',
    'distribution',
    'payout',
    'interval',
    'blend',
    'label',
  ],
  'the manifest of the store': ['data_provider', 'lineage'],
  'forecasts in Redis': ['weather_dep', 'weather_arr', 'components'],
  'news and airport status in Redis': ['news', 'recommendation', 'components'],
};
