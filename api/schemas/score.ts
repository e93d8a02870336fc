import { z } from 'zod';
import { HORIZON_DAYS } from '../local-day.ts';
import { count, measure, percent, points, share } from './field.ts';
import { INCLUDES, includedParts, includeOf } from './include.ts';
import { label, componentKey } from './label.ts';
import { inboundDelayParam } from './inbound-delay.ts';
import { newsItem } from './news.ts';
import { payoutParam } from './payout.ts';
import {
  airlineCode,
  calendarDate,
  flag,
  flightNumber,
  localTime,
  routeParams,
  signedParam,
} from './params.ts';

const REPLACED = { unless: 'flight' };

/** Parameters that name a flight: a flight number, or route and airline. */
export const flightParams = z.object({
  flight: flightNumber.optional().meta({
    description:
      'Number of the flight, such as `AA4567`, `DL 423` or `dl0423`. Replaces `origin`, `dest`, `airline` and `dep_time`: the newest known schedule has the route, the operating airline and the usual time. If the number has several legs, choose one with `origin` or `dest`.',
    example: 'CX636',
  }),
  origin: routeParams.shape.origin.optional().meta({
    description: 'IATA code of the departure airport. Required without `flight`.',
    example: 'JFK',
    ...REPLACED,
  }),
  dest: routeParams.shape.dest.optional().meta({
    description:
      'IATA code of the arrival airport; differs from `origin`. Required without `flight`.',
    example: 'LAX',
    ...REPLACED,
  }),
  airline: airlineCode.optional().meta({
    description:
      'IATA code of the airline on the ticket, two letters or digits; the answer covers flights that partners operate for it. Required without `flight`. If `flight` is given too, `airline` must be the airline of the flight number or the operating airline.',
    example: 'AA',
    ...REPLACED,
  }),
  date: calendarDate.meta({
    description: `Departure date at the origin, \`YYYY-MM-DD\`: from today at the origin to ${HORIZON_DAYS} days later. Past flights are refused.`,
    example: '2026-03-20',
  }),
  dep_time: localTime.optional().meta({
    description:
      'Local departure time, `HH:MM`. Together with `flight`, it replaces the usual time. With a time, the score and the congestion are those of its hour; the other `stats` cover all hours. Without a time, the score is the average over the hours in which the airline flies the route, weighted by flights.',
    example: '17:30',
  }),
});

/** Parameters of `/api/score`. */
export const scoreParams = flightParams.extend({
  news: flag.meta({
    description: 'Adds the array `news`. News in the response never changes the score.',
  }),
  inbound_delay: inboundDelayParam,
  include: includeOf(INCLUDES).meta({ example: ['lineage', 'blend'] }),
  payout: payoutParam,
  signed: signedParam,
});

/** Rates and counts from the record. */
export const stats = z
  .strictObject({
    delay_rate_pct: percent.describe(
      'Percentage of completed flights that arrived more than 30 minutes late; 2 decimals.',
    ),
    cancel_rate_pct: percent.describe(
      'Percentage of scheduled flights that were cancelled; 2 decimals.',
    ),
    avg_delay_min: measure('minutes')
      .min(0)
      .describe(
        'Average delay of flights more than 30 minutes late; 0 without such flights; 1 decimal.',
      ),
    n_flights: count('flights').describe('Number of recorded flights that were used.'),
    confidence_pct: points
      .meta({ 'x-unit': '%' })
      .describe(
        'Confidence in the record: 100 × n / (n + n0) for n flights of the airline on the route, where the prior counts as n0 flights. Less for a record that ended over a year before the flight; at most 25 with `route_any_airline`, 0 with `no_data`.',
      ),
    congestion_dep: share.describe('Congestion of the departure airport; 3 decimals.'),
    congestion_arr: share.describe('Congestion of the arrival airport; 3 decimals.'),
    ml_probability: percent
      .nullable()
      .describe(
        "The model's probability of a delay of more than 30 minutes; null without a model; 2 decimals.",
      ),
  })
  .describe('Rates and counts from the history that `data_source` names.');

/** The kind of history behind an answer. */
export const dataSource = z
  .enum(['exact', 'route_any_airline', 'no_data'])
  .describe(
    'The history used: `exact` is the airline on the route, `route_any_airline` all airlines on the route. With `no_data`, all counts are 0 and the score uses only other data on the airports and the airline.',
  );

/** Contribution of one factor to the score. */
export const component = z
  .strictObject({
    key: componentKey,
    name: z.string().describe('Display name of the factor.'),
    value: share.describe('Value of the factor on its own scale; 4 decimals.'),
    label: label.describe('The band of 100 × `value`.'),
    contribution: measure('points').describe(
      "Points of the final score. `delay_rate` includes the delay level of all flights; `include=drivers` compares each factor with an average flight. All contributions and the model's part add up to the score before rounding. 2 decimals.",
    ),
  })
  .describe('Contribution of one factor to the score.');

/** Weather at an airport on a local day. */
export const weather = z
  .strictObject({
    score: share.describe('Weather risk; 4 decimals.'),
    condition: z
      .string()
      .describe(
        'Weather in words: the forecast for up to 16 days ahead, and the typical weather of the month for later days. Typical weather begins with `Typical for`. `Unavailable` if neither is known; the risk is then that of typical weather.',
      ),
    temp: measure('°C').nullable().describe('Mean temperature of the day; 1 decimal.'),
    wind: measure('km/h').nullable().describe('Highest hourly wind speed; 1 decimal.'),
    precip: measure('mm').nullable().describe('Highest hourly precipitation; 1 decimal.'),
  })
  .describe('Weather of a local day at an airport.');

/** Name and place of an airport. */
export const place = z
  .strictObject({
    name: z.string().describe('Name of the airport.'),
    city: z.string().describe('City of the airport.'),
    country: z.string().describe('Country of the airport.'),
  })
  .describe('Name and place of an airport.');

/** Fields about the flight number in the request; absent without a flight number. */
export const numberFields = {
  flight_number: z
    .string()
    .optional()
    .describe('The flight number of the request, such as `AA4567`; present if requested.'),
  schedule_month: z
    .string()
    .optional()
    .describe(
      'Month of the schedule in which the number was found, `YYYY-MM`; present with `flight_number`.',
    ),
};

/** The requested flight. */
export const inputBody = z
  .strictObject({
    origin: z.string().describe('IATA code of the departure airport.'),
    destination: z.string().describe('IATA code of the arrival airport.'),
    airline: z.string().describe('IATA code of the airline.'),
    flight_date: z.iso.date().describe('Departure date at the origin.'),
    dep_time: z
      .string()
      .optional()
      .describe('Local departure time, `HH:MM`; present if requested or known from `flight`.'),
    ...numberFields,
  })
  .describe('The requested flight.');

/**
 * Response of `/api/score`. Fields are in the order of the specification. Optional fields are present only if
 * requested.
 */
export const scoreBody = z.strictObject({
  score: points.describe('The risk, 0 (lowest) to 100 (highest).'),
  score_linear: points.describe('The statistical score, before the model is blended in.'),
  score_ml: points.nullable().describe("The model's score; null if the model is unavailable."),
  ml_available: z.boolean().describe('Whether the model contributed to `score`.'),
  label: label.describe('The band of `score`.'),
  recommendation: z
    .string()
    .describe('One sentence on the risk and its main cause. Events in force come first.'),
  input: inputBody,
  stats,
  components: z.array(component).length(6).describe('The factors, highest contribution first.'),
  weather_dep: weather.describe('Weather at the departure airport on the day.'),
  weather_arr: weather.describe(
    'Weather at the arrival airport on the estimated day of arrival. Without a departure time, the estimate assumes 14:00.',
  ),
  data_source: dataSource,
  data_provider: z
    .string()
    .describe(
      'Provider of the flight records: `bts` is the US Bureau of Transportation Statistics; the others are in docs/providers.md.',
    ),
  airline_info: z
    .strictObject({
      name: z.string().describe('Full name of the airline.'),
      country: z.string().describe('Country of the airline.'),
    })
    .describe('Name and country of the airline.'),
  origin_info: place.describe('The departure airport.'),
  dest_info: place.describe('The arrival airport.'),
  news: z
    .array(newsItem)
    .optional()
    .describe("News that affects this airline's flight. Present with `news=true`."),
  ...includedParts,
});

export type FlightParams = z.output<typeof flightParams>;
export type ScoreBody = z.infer<typeof scoreBody>;
