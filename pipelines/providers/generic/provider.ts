import { createProvider } from '../provider.ts';

/** Flights in a simple form, for records of any origin. */
export const GENERIC = createProvider({
  name: 'own',
  title: 'Your own records',
  countries: [],
  attribution: 'Records loaded by the operator of this service',
  terms: 'The operator knows the terms.',
  url: '',
  folder: import.meta.dirname,
  forms: [
    {
      name: 'generic_flights',
      kind: 'flights',
      required: [
        'flight_date',
        'airline',
        'origin',
        'dest',
        'scheduled_departure|scheduled_arrival',
        'actual_departure|actual_arrival',
      ],
      optional: ['flight', 'cancelled', 'diverted'],
      usesCodes: true,
      hasExclusions: true,
      delayBasis: 'mixed',
      calendar: 'date',
    },
  ],
});
