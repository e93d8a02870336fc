import type { ForecastRecord, RecordRow } from '../../../warehouse/live/forecast-record.ts';

const FIGURE = {
  ...{ flight_count: 600, event_count: 100, block_count: 10 },
  ...{ forecast: 0.18, forecast_noise: 0.01, actual: 0.166667, actual_noise: 0.02 },
  ...{ level: 0.013333, level_noise: 0.02, brier: 0.13, brier_noise: 0.01 },
  ...{ reliability: 0.001, reliability_noise: 0.001, resolution: 0.01, resolution_noise: 0.002 },
  ...{ uncertainty: 0.138889, uncertainty_noise: 0.01, log_loss: 0.42, log_loss_noise: 0.02 },
  ...{ auc: 0.64, auc_noise: 0.01 },
  bins: [{ from: 0.175, to: 0.2, flights: 600, forecast: 0.18, actual: 0.166667 }],
};

function aRow(changes: Partial<RecordRow>): RecordRow {
  const group = { month: 'all', provider: 'all', carrier: 'all' };
  return { kind: 'live', outcome: 'disrupted', horizon_days: 7, ...group, ...FIGURE, ...changes };
}

export const HEAD = 'a'.repeat(64);
/** A record of live and replayed forecasts. */
export const PUBLISHED: ForecastRecord = {
  scoredAt: '2027-03-15T03:21:40.000Z',
  chain: { firstNight: '2026-12-14', lastNight: '2027-03-14', nights: 91, head: HEAD },
  ...{ forecasts: 300_000, firstFlightDate: '2026-12-15' },
  rows: [
    aRow({}),
    aRow({ outcome: 'late' }),
    aRow({ month: '2026-12' }),
    aRow({ month: '2027-01' }),
    aRow({ horizon_days: 30 }),
    aRow({ carrier: 'DL' }),
    aRow({ carrier: 'DL', month: '2026-12' }),
    aRow({ carrier: 'AA' }),
    aRow({ provider: 'bts' }),
    aRow({ kind: 'replayed', horizon_days: null, month: '2025-03' }),
    aRow({ kind: 'replayed', horizon_days: null }),
  ],
};
