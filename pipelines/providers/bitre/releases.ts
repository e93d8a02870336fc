import type { ReleaseIndex } from '../releases.ts';

/** BITRE publishes one file with its whole series, always at the same address. */
export const BITRE_RELEASES: ReleaseIndex = {
  address:
    'https://data.gov.au/data/dataset/29128ebd-dbaa-4ff5-8b86-d9f30de56452/resource/cf663ed1-0c5e-497f-aea9-e74bfda9cf44/download',
  isLinked: true,
  list: async (months, { address }) =>
    months.length === 0 ? [] : [{ period: 'series', url: `${address}/otp_time_series_web.csv` }],
};
