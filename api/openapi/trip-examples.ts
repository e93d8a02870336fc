import type { AlternativesBody } from '../schemas/alternatives.ts';

const NO_MODEL = { ml_probability: null };

/** Responses of the endpoints for trips. */
export const TRIP_EXAMPLES = {
  alternatives: {
    flight: {
      origin: 'JFK',
      destination: 'LAX',
      airline: 'AA',
      airline_name: 'American Airlines',
      flight_date: '2026-03-20',
      dep_time: null,
      score: 57,
      label: 'High',
      ...NO_MODEL,
      interval: { level: 0.9, low: 54, high: 60, ...NO_MODEL },
    },
    origin_city: { code: 'NYC', name: 'New York', airports: ['JFK', 'EWR', 'LGA'] },
    dest_city: {
      code: 'QLA',
      name: 'Los Angeles',
      airports: ['LAX', 'SNA', 'ONT', 'BUR', 'LGB'],
    },
    considered: 8,
    better: 1,
    alternatives: [
      {
        change: 'airline',
        saved: 15,
        origin: 'JFK',
        destination: 'LAX',
        airline: 'DL',
        airline_name: 'Delta Air Lines',
        flight_date: '2026-03-20',
        dep_time: null,
        score: 42,
        label: 'Moderate',
        ...NO_MODEL,
        total_flights: 1000,
      },
    ],
  },
} satisfies { alternatives: AlternativesBody };
