import type { ModelBody } from '../schemas/model.ts';

/** An example response of `/api/model`. */
export const MODEL_EXAMPLE: ModelBody = {
  version: '0123456789ab',
  contract: '9f0c2b6d1e3a4f58',
  features: [
    {
      name: 'route_carrier_delayed_rate',
      unit: 'share',
      what: 'share of delayed flights of the airline on the route, after shrinkage',
    },
  ],
  trained_on: {
    months: ['2017-01', '2017-02'],
    rows: 52301,
    data_sha256: '5b1e0c77a9d2f344',
    coverage: {
      first_month: '2017-01',
      last_month: '2017-02',
      flights: 180_000,
      airports: 140,
      airlines: 16,
      routes: 900,
    },
  },
  seed: 1,
  code_version: '0.1.0',
  created_at: null,
  imported: null,
  metrics: { auc: 0.66 },
  score_reliability: {
    note: 'The model had not seen these months. The scores used the departure hour, but no weather forecasts, news or airport status.',
    months: ['2017-01', '2017-02'],
    flights: 20_000,
    coverage: { airports: 20, airlines: 12, routes: 380 },
    disrupted: 0.12,
    bands: [
      { label: 'Low', flights: 4000, share: 0.2, disrupted: 0.05 },
      { label: 'Moderate', flights: 12_000, share: 0.6, disrupted: 0.11 },
      { label: 'High', flights: 3800, share: 0.19, disrupted: 0.2158 },
      { label: 'Very High', flights: 200, share: 0.01, disrupted: 0.35 },
    ],
    tenths: [{ from: 20, to: 29, flights: 4000, share: 0.2, disrupted: 0.05 }],
    by_confidence: [
      {
        from: 50,
        to: 100,
        bands: [{ label: 'Low', flights: 4000, share: 0.2222, disrupted: 0.05 }],
      },
    ],
    by_month: [
      {
        month: '2025-04',
        flights: 9000,
        disrupted: 0.12,
        bands: [{ label: 'Low', flights: 2000, share: 0.2222, disrupted: 0.05 }],
      },
    ],
  },
  distribution_reliability: {
    flights: 248365,
    crps: { value: 8.41, reference: 8.47, difference: -0.06, standard_error: 0.004 },
    late_classes_log_loss: {
      value: 1.24,
      reference: 1.253,
      difference: -0.013,
      standard_error: 0.001,
    },
    cancelled_log_loss: {
      value: 0.051,
      reference: 0.052,
      difference: -0.001,
      standard_error: 0.0002,
    },
    over_60: [{ flights: 24836.5, forecast: 0.031, actual: 0.032 }],
    over_120: [{ flights: 24836.5, forecast: 0.011, actual: 0.012 }],
    over_180: [{ flights: 24836.5, forecast: 0.005, actual: 0.006 }],
    cancelled: [{ flights: 25016.3, forecast: 0.003, actual: 0.002 }],
    payout_terms: '60:100,120:250,cancelled:400',
    payout_by_airline: [{ airline: 'AA', flights: 61020, expected: 18.2, actual: 18.9 }],
    payout_by_month: [{ month: '2025-03', flights: 127400, expected: 17.1, actual: 16.4 }],
  },
  outlook_shares: {
    under_15: 0.93,
    from_15_to_30: 0.07,
    from_30_to_60: 0.45,
    from_60_to_120: 0.35,
    over_120: 0.2,
  },
  providers: [
    {
      provider: 'zrh',
      title: 'Zurich Airport',
      state: 'unmeasured',
      why: 'the next nightly run measures this record',
      measured: null,
    },
  ],
};
