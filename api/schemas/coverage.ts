import { z } from 'zod';
import { count, monthName } from './field.ts';
import { recordAccuracy } from './record-accuracy.ts';
import { recordParams } from './record.ts';

/** Parameters of `/api/coverage`. */
export const coverageParams = z.object({
  provider: recordParams.shape.provider.meta({
    description: 'Only the record of this provider; all records by default.',
    example: 'hkia',
  }),
});

const extent = {
  first: monthName.describe('First month with flights.'),
  last: monthName.describe('Last month with flights.'),
  flights: count('flights').describe('Scheduled flights in the record.'),
};

const coveredAirline = z.strictObject({
  code: z.string().describe('IATA code of the airline.'),
  name: z.string().describe('Name of the airline.'),
  routes: count('routes').describe('Routes of the airline in the record.'),
  ...extent,
});

const coveredRoute = z.strictObject({
  origin: z.string().describe('IATA code of the origin.'),
  dest: z.string().describe('IATA code of the destination.'),
  name: z.string().describe('Both places with their codes.'),
  airlines: count('airlines').describe('Airlines on the route in the record.'),
  ...extent,
});

const coveredRecord = z.strictObject({
  provider: z.string().describe('Short name of the provider, as in `data_provider`.'),
  title: z.string().describe('Name of the provider.'),
  countries: z
    .array(z.string())
    .describe(
      'Two-letter codes of the countries. Empty if the record is not limited to countries.',
    ),
  url: z.string().describe('Page of the provider; empty without a page.'),
  terms: z.string().describe('Terms of use of the figures.'),
  months: z
    .strictObject({
      first: monthName.nullable().describe('First month; null without months.'),
      last: monthName.nullable().describe('Last month; null without months.'),
      count: count('months').describe('Number of months.'),
      age_days: count('days')
        .nullable()
        .describe('Days since the end of the last month, in UTC; null without months.'),
    })
    .describe('Months of the record.'),
  years: z.array(z.string()).describe('Years for which only yearly totals are known.'),
  inferred_over_min: count('minutes')
    .nullable()
    .describe(
      'The provider does not count delays over this length, so they are inferred from shorter delays; null if it counts all.',
    ),
  accuracy: recordAccuracy
    .nullable()
    .describe(
      'Accuracy of the forecasts, which use the statistics of this record without the model. Null for `bts`, whose model `/api/model` describes.',
    ),
  flights: extent.flights,
  airports: count('airports').describe('Airports in the record.'),
  route_count: count('routes').describe('Routes in the record.'),
  airline_count: count('airlines').describe('Airlines in the record.'),
  airlines: z.array(coveredAirline).describe('The 25 airlines with the most flights.'),
  routes: z.array(coveredRoute).describe('The 25 routes with the most flights.'),
});

/** The answer of `/api/coverage`, and the data of the page `/coverage`. */
export const coverageBody = z.strictObject({
  records: z
    .array(coveredRecord)
    .describe('One record for each provider; the American record first.'),
});

export type CoverageBody = z.infer<typeof coverageBody>;
export type CoveredRecord = z.infer<typeof coveredRecord>;
export type CoveredAirline = z.infer<typeof coveredAirline>;
export type CoveredRoute = z.infer<typeof coveredRoute>;
