import { createProvider } from '../provider.ts';

/** Zurich Airport, in the records that the canton published for 2017. */
export const ZRH = createProvider({
  name: 'zrh',
  title: 'Zurich Airport',
  countries: ['CH'],
  attribution: 'Zurich Airport, by openZH (Canton of Zurich)',
  terms: 'CC0: free for any use.',
  url: 'https://github.com/openZH/twist_zrh',
  isBundled: true,
  folder: import.meta.dirname,
  forms: [
    {
      name: 'zrh_movements',
      kind: 'flights',
      required: [
        'date',
        'airline_code',
        'flugnummer',
        'start_landing',
        'origin_destination',
        'effective_time',
        'planed_time',
      ],
      optional: ['airline_name', 'number_of_movements'],
      flightNumber: 'flugnummer',
      usesCodes: true,
      hasExclusions: true,
      delayBasis: 'mixed',
      calendar: 'date',
    },
  ],
});
