import type { RecordBody } from '../schemas/record.ts';

/** An example response of `/api/record`. */
export const RECORD_EXAMPLE: RecordBody = {
  scored_at: '2027-03-15T03:21:40.000Z',
  frozen: {
    forecasts: 358_204,
    nights: 91,
    first_night: '2026-12-14',
    last_night: '2027-03-14',
    head: '6d0f5a7be7b8a4d1c1a6b1f0c2f4b6a55dbe44fdb0a9f1f3a1f2b7c8d9e0f1a2',
    first_flight_date: '2026-12-15',
  },
  live_since: '2026-12',
  first_score_expected: null,
  figures: [
    {
      kind: 'live',
      outcome: 'disrupted',
      month: '2026-12',
      horizon_days: 7,
      provider: null,
      airline: null,
      flights: 6210,
      blocks: 10,
      forecast: 0.1621,
      forecast_noise: 0.0058,
      actual: 0.171,
      actual_noise: 0.0172,
      level: -0.0089,
      level_noise: 0.0149,
      brier: 0.1372,
      brier_noise: 0.0096,
      reliability: 0.0011,
      reliability_noise: 0.0008,
      resolution: 0.0058,
      resolution_noise: 0.0021,
      uncertainty: 0.14176,
      uncertainty_noise: 0.01132,
      log_loss: 0.4398,
      log_loss_noise: 0.0247,
      auc: 0.641,
      auc_noise: 0.0126,
    },
  ],
  reliability: [
    {
      kind: 'live',
      horizon_days: 7,
      bins: [{ from: 0.15, to: 0.175, flights: 1204, forecast: 0.1618, actual: 0.1736 }],
    },
  ],
};
