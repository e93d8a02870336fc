import { createProvider } from '../provider.ts';
import type { ReleaseIndex } from '../releases.ts';

/** BITRE publishes one file with its whole series, always at the same address. */
const BITRE_RELEASES: ReleaseIndex = {
  address:
    'https://data.gov.au/data/dataset/29128ebd-dbaa-4ff5-8b86-d9f30de56452/resource/cf663ed1-0c5e-497f-aea9-e74bfda9cf44/download',
  isLinked: true,
  list: async (months, { address }) =>
    months.length === 0 ? [] : [{ period: 'series', url: `${address}/otp_time_series_web.csv` }],
};

/** Australia's Bureau of Infrastructure and Transport Research Economics. It publishes domestic flights. */
export const BITRE = createProvider({
  name: 'bitre',
  title: 'Bureau of Infrastructure and Transport Research Economics',
  countries: ['AU'],
  attribution: 'Bureau of Infrastructure and Transport Research Economics (Australia)',
  terms: 'CC BY 3.0 AU: any use, if the source is named.',
  url: 'https://data.gov.au/data/dataset/domestic-airlines-on-time-performance',
  releases: BITRE_RELEASES,
  isBundled: true,
  folder: import.meta.dirname,
  forms: [
    {
      name: 'bitre_otp',
      kind: 'route_hours',
      required: [
        'departing_port',
        'arriving_port',
        'airline',
        'month',
        'sectors_scheduled',
        'sectors_flown',
        'cancellations',
        'arrivals_on_time',
        'arrivals_delayed',
      ],
      optional: ['route', 'year', 'month_num'],
      hasExclusions: true,
      delayBasis: 'arrival',
      calendar: 'year_month',
    },
  ],
});
