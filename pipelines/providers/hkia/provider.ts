import { createProvider } from '../provider.ts';
import { HKIA_COLLECTOR } from './collector.ts';
import { HKIA_CODESHARES, HKIA_COLUMNS, HKIA_TABLE } from './table.ts';

/** Hong Kong International Airport. */
export const HKIA = createProvider({
  name: 'hkia',
  title: 'Hong Kong International Airport',
  countries: ['HK'],
  attribution: 'Hong Kong International Airport, by DATA.GOV.HK',
  terms:
    'Open data of the government of Hong Kong; commercial use is allowed if the source is named.',
  url: 'https://data.gov.hk/en-data/dataset/aahk-team1-flight-info',
  collector: HKIA_COLLECTOR,
  isBundled: true,
  folder: import.meta.dirname,
  jsonTable: HKIA_TABLE,
  forms: [
    {
      name: 'hkia_flights',
      kind: 'flights',
      required: HKIA_COLUMNS,
      optional: [HKIA_CODESHARES],
      flightNumber: 'hkia_number',
      usesCodes: true,
      hasExclusions: true,
      hasCodeshares: true,
      delayBasis: 'mixed',
      calendar: 'date',
    },
  ],
});
