import type { CoverageBody } from '../schemas/coverage.ts';

/** An example response of `/api/coverage`. */
export const COVERAGE_EXAMPLE: CoverageBody = {
  records: [
    {
      provider: 'hkia',
      title: 'Hong Kong International Airport',
      countries: ['HK'],
      url: 'https://data.gov.hk/',
      terms: 'Commercial use is allowed if the source is named.',
      months: { first: '2025-10', last: '2025-12', count: 3, age_days: 69 },
      years: [],
      inferred_over_min: null,
      accuracy: {
        state: 'unmeasured',
        why: 'the next nightly run measures this record',
        measured: null,
      },
      flights: 66_114,
      airports: 148,
      route_count: 294,
      airline_count: 84,
      airlines: [
        {
          code: 'CX',
          name: 'Cathay Pacific',
          routes: 150,
          first: '2025-10',
          last: '2025-12',
          flights: 20_151,
        },
      ],
      routes: [
        {
          origin: 'HKG',
          dest: 'TPE',
          name: 'Hong Kong HKG to Taipei TPE',
          airlines: 8,
          first: '2025-10',
          last: '2025-12',
          flights: 1_530,
        },
      ],
    },
  ],
};
