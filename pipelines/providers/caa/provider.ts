import { createProvider, type FormDescription } from '../provider.ts';
import { CAA_RELEASES } from './releases.ts';

const SHARED = {
  source: 'caa_punctuality',
  kind: 'route_hours',
  hasExclusions: true,
  olderEncoding: 'windows-1252',
  delayBasis: 'mixed',
  calendar: 'year_month',
} as const satisfies Partial<FormDescription>;

const ROUTE = [
  'reporting_period',
  'reporting_airport',
  'origin_destination_country',
  'origin_destination',
  'airline_name',
  'scheduled_charter',
  'number_flights_matched',
  'actual_flights_unmatched',
];

/** Bands of delay from 2018 on. */
const BANDS = [
  'number_flights_cancelled',
  'flights_between_16_and_30_minutes_late_percent',
  'flights_between_31_and_60_minutes_late_percent',
  'flights_between_61_and_120_minutes_late_percent',
  'flights_between_121_and_180_minutes_late_percent',
  'flights_between_181_and_360_minutes_late_percent',
  'flights_more_than_360_minutes_late_percent',
];

/** Bands of delay to 2017. */
const OLDER_BANDS = [
  'flts_16_to_30_mins_late_percent',
  'flts_31_to_60_mins_late_percent',
  'flts_61_to_180_mins_late_percent',
  'flts_181_to_360_mins_late_percent',
  'more_than_360_mins_late_percent',
];

/** The United Kingdom's Civil Aviation Authority. */
export const CAA = createProvider({
  name: 'caa',
  title: 'UK Civil Aviation Authority',
  countries: ['GB'],
  attribution: 'UK Civil Aviation Authority, flight punctuality statistics',
  terms:
    'The source must be named, and the figures must not be sold on, so they do not ship with the code.',
  url: 'https://www.caa.co.uk/data-and-analysis/uk-aviation-market/flight-punctuality/',
  releases: CAA_RELEASES,
  folder: import.meta.dirname,
  forms: [
    {
      ...SHARED,
      name: 'caa_punctuality',
      required: [...ROUTE, ...BANDS],
      optional: ['arrival_departure', ...OLDER_BANDS],
    },
    {
      ...SHARED,
      name: 'caa_punctuality_to_2017',
      required: [...ROUTE, ...OLDER_BANDS],
      optional: ['arrival_departure', ...BANDS],
    },
  ],
});
