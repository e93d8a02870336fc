import type { AlternativesBody } from '../schemas/alternatives.ts';
import type { ItineraryBody } from '../schemas/itinerary.ts';

const NO_MODEL = { ml_probability: null };

/** Example responses of the endpoints for trips. */
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
      brand: null,
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
        brand: null,
        total_flights: 1000,
      },
    ],
  },
  itinerary: {
    legs: [
      {
        origin: 'JFK',
        destination: 'LAX',
        airline: 'AA',
        airline_name: 'American Airlines',
        flight_date: '2026-03-20',
        dep_time: '08:00',
        arr_date: '2026-03-20',
        arr_time: '11:15',
        is_arrival_estimated: false,
        score: 59,
        label: 'High',
        ml_probability: 20,
        lost: 0.018,
        brand: null,
      },
      {
        origin: 'LAX',
        destination: 'JFK',
        airline: 'AA',
        airline_name: 'American Airlines',
        flight_date: '2026-03-20',
        dep_time: '12:45',
        arr_date: '2026-03-20',
        arr_time: '21:10',
        is_arrival_estimated: false,
        score: 59,
        label: 'High',
        ml_probability: 20,
        lost: 0.017,
        brand: null,
      },
    ],
    connections: [
      {
        airport: 'LAX',
        planned_min: 90,
        minimum_min: 45,
        minimum_kind: 'domestic',
        missed: 0.108,
        next_dep_time: null,
        next_flight: null,
      },
    ],
    outcome: {
      as_booked: 0.858,
      missed_connection: 0.108,
      late: [
        {
          minutes: 15,
          probability: 0.254,
        },
        {
          minutes: 30,
          probability: 0.181,
        },
        {
          minutes: 45,
          probability: 0.123,
        },
        {
          minutes: 60,
          probability: 0.086,
        },
        {
          minutes: 90,
          probability: 0.053,
        },
        {
          minutes: 120,
          probability: 0.035,
        },
        {
          minutes: 180,
          probability: 0.017,
        },
        {
          minutes: 360,
          probability: 0.003,
        },
      ],
      not_arriving: 0.142,
    },
    weakest: {
      kind: 'connection',
      position: 1,
      probability: 0.108,
    },
  },
} satisfies { alternatives: AlternativesBody; itinerary: ItineraryBody };
