import { z } from 'zod';
import { CONNECTION_KINDS } from '../../models/connecting-times.ts';
import { MAX_LEGS } from '../../models/trip.ts';
import { count, openEnum, percent, points, share } from './field.ts';
import { inboundDelaysParam } from './inbound-delay.ts';
import { label } from './label.ts';
import { inferredBrand } from './operators.ts';
import { localTime, signedParam, wholeNumber } from './params.ts';
import { flightParams, numberFields } from './score.ts';

const MIN_LEGS = 2;

/** Parameters of `/api/itinerary`. */
export const itineraryParams = z.object({
  legs: z
    .string()
    .transform((legs) => legs.split(','))
    .refine(({ length }) => length >= MIN_LEGS && length <= MAX_LEGS, {
      error: ({ input }) =>
        `must be ${MIN_LEGS} to ${MAX_LEGS} flights such as JFK-ORD-AA-2026-12-20T08:00-09:45, separated by commas; received ${(input as string[]).length}`,
    })
    .meta({
      description: `${MIN_LEGS} to ${MAX_LEGS} flights in order, separated by commas. Each is origin, destination, airline, date, departure time and arrival time: \`JFK-ORD-AA-2026-12-20T08:00-09:45\`. Times are local at their airport. Without the arrival time, it is estimated from the distance. A flight number replaces route, airline and times: \`AA4567-2026-12-20\`.`,
      example: ['JFK-LAX-AA-2026-03-20T08:00-11:15', 'LAX-JFK-AA-2026-03-20T12:45-21:10'],
      wire: {
        type: 'array',
        items: { type: 'string', pattern: '^[^,]*$' },
        minItems: MIN_LEGS,
        maxItems: MAX_LEGS,
      },
    }),
  tickets: z.enum(['one', 'separate'], 'must be one or separate').default('one').meta({
    description:
      '`separate` if the flights are on separate tickets: connections then need 150 minutes.',
    example: 'one',
  }),
  mct: wholeNumber(
    { min: 0, max: 600 },
    {
      description:
        'Minutes needed for every connection, from arrival to departure. Replaces our own values.',
      example: 60,
    },
  ).optional(),
  inbound_delays: inboundDelaysParam,
  signed: signedParam,
});

/** Parameters of one leg, with its times. */
export const legParams = flightParams.extend({
  dep_time: localTime.optional().meta({ unless: 'flight' }),
  arr_time: localTime.optional(),
});

export type LegParams = z.infer<typeof legParams>;

const probability = share.describe('Probability; 3 decimals.');

/** One flight of an itinerary. */
export const itineraryLeg = z
  .strictObject({
    origin: z.string().describe('IATA code of the departure airport.'),
    destination: z.string().describe('IATA code of the arrival airport.'),
    airline: z.string().describe('IATA code of the airline.'),
    airline_name: z.string().describe('Full name of the airline.'),
    ...numberFields,
    flight_date: z.iso.date().describe('Departure date at the origin.'),
    dep_time: z.string().describe('Local departure time, `HH:MM`.'),
    arr_date: z.iso.date().describe('Local date of the scheduled arrival.'),
    arr_time: z.string().describe('Local time of the scheduled arrival, `HH:MM`.'),
    is_arrival_estimated: z
      .boolean()
      .describe(
        'Whether the arrival is estimated from the distance, because the call has no arrival time.',
      ),
    score: points.describe('The score of `/api/score` for this flight.'),
    label: label.describe('The band of `score`.'),
    ml_probability: percent
      .nullable()
      .describe(
        "The model's probability of a delay of more than 30 minutes. Null without a model, and for a flight that is not in the American record.",
      ),
    lost: probability
      .nullable()
      .describe(
        'Probability that the trip cannot continue as booked, because this flight is cancelled or diverted; null if `outcome` is null.',
      ),
    brand: inferredBrand,
  })
  .describe('One flight of an itinerary.');

const nextFlight = z.strictObject({
  hour: count('hour of the day').max(23).describe('Local hour of departure, 0 to 23.'),
  dep_time: z
    .string()
    .nullable()
    .describe('Usual local departure time, `HH:MM`; null without a schedule.'),
  flight_number: z
    .string()
    .nullable()
    .describe('Number of the flight, such as `AA4567`; null without a schedule.'),
});

/** A change from one flight to the next. */
export const itineraryConnection = z
  .strictObject({
    airport: z.string().describe('IATA code of the airport.'),
    planned_min: count('minutes').describe('Scheduled minutes from arrival to departure.'),
    minimum_min: count('minutes').describe('Minutes that a passenger needs.'),
    minimum_kind: openEnum([...CONNECTION_KINDS, 'requested']).describe(
      'Source of `minimum_min`: `requested` if the call has `mct`; otherwise our own value for this kind of connection.',
    ),
    missed: probability
      .nullable()
      .describe(
        'Probability that the trip cannot continue as booked, because the flight before this connection arrives too late; null if `outcome` is null.',
      ),
    next_dep_time: z
      .string()
      .nullable()
      .describe(
        'Hour of the next later flight of the airline, `HH:00`: the next hour in which its record has a flight on most days. Null if there is no such hour. `next_flight` also uses schedules.',
      ),
    next_flight: nextFlight
      .nullable()
      .describe(
        'The next later flight of the airline that day, from its schedule; without a schedule, from its record. Null if there is no later flight. It may be null although `next_dep_time` is not: the schedule may lack a flight of the record.',
      ),
  })
  .describe('A change from one flight to the next.');

const outcome = z
  .strictObject({
    as_booked: probability.describe(
      'Probability that all flights operate and all connections are made; 3 decimals.',
    ),
    missed_connection: probability.describe('Probability that a connection is missed; 3 decimals.'),
    late: z
      .array(
        z.strictObject({
          minutes: count('minutes').describe('A delay on arrival at the last airport.'),
          probability,
        }),
      )
      .describe(
        'Probability of a longer delay at the end than `minutes`, at 15 (inclusive), 30, 45, 60, 90, 120, 180 and 360 minutes. After a missed connection, the next flight of the airline that day counts.',
      ),
    not_arriving: probability.describe(
      'Probability of no arrival with these flights or later flights of the airline that day; 3 decimals. It is not part of `late`.',
    ),
  })
  .describe('Outcome of the whole trip.');

/** Response of `/api/itinerary`. */
export const itineraryBody = z.strictObject({
  legs: z.array(itineraryLeg).min(MIN_LEGS).max(MAX_LEGS).describe('The flights, in order.'),
  connections: z
    .array(itineraryConnection)
    .min(MIN_LEGS - 1)
    .max(MAX_LEGS - 1)
    .describe('The connections, in order.'),
  outcome: outcome
    .nullable()
    .describe('Outcome of the whole trip. Null if the `ml_probability` of a leg is null.'),
  weakest: z
    .strictObject({
      kind: openEnum(['leg', 'connection']).describe('Kind of the weakest link.'),
      position: count('items', 1)
        .max(MAX_LEGS)
        .describe('Its position in `legs` or `connections`, from 1.'),
      probability: probability.describe(
        'Probability that the trip cannot continue as booked after this flight or connection; 3 decimals.',
      ),
    })
    .nullable()
    .describe(
      'The flight or connection with the highest probability that the trip cannot continue as booked; null if `outcome` is null.',
    ),
});

export type ItineraryBody = z.infer<typeof itineraryBody>;
