import { z } from 'zod';
import { count, points, share } from './field.ts';
import { label } from './label.ts';

/** Outcomes of flights with similar scores. */
export const outcomeFields = {
  flights: count('flights').describe('Number of flights.'),
  share: share.describe('Share of all flights.'),
  disrupted: share
    .nullable()
    .describe('Share delayed more than 30 minutes or cancelled; null without flights.'),
};

const bands = z.array(
  z.strictObject({ label: label.describe('The band of the score.'), ...outcomeFields }),
);

/** Numbers of airports, airlines and routes in a set of flights. */
export const coverageFields = {
  airports: count('airports').describe('Number of airports.'),
  airlines: count('airlines').describe('Number of airlines.'),
  routes: count('routes').describe('Number of directed routes.'),
};

/** Actual outcomes by score, for flights in months that the forecast had not seen. */
export const scoreReliabilityBody = z.strictObject({
  note: z.string().describe('Inputs that were not available to these scores.'),
  months: z.array(z.string()).describe('Months of the flights, `YYYY-MM`.'),
  flights: outcomeFields.flights,
  coverage: z
    .strictObject(coverageFields)
    .nullable()
    .describe('Airports, airlines and routes of these flights. There are no figures for others.'),
  disrupted: outcomeFields.disrupted,
  bands: bands.describe('Outcomes by band.'),
  tenths: z
    .array(
      z.strictObject({
        from: points.describe('Lowest score.'),
        to: points.describe('Highest score.'),
        ...outcomeFields,
      }),
    )
    .describe('Outcomes by tenth of the scale.'),
  by_confidence: z
    .array(
      z.strictObject({
        from: points.meta({ 'x-unit': '%' }).describe('Lowest `confidence_pct`.'),
        to: points.meta({ 'x-unit': '%' }).describe('Highest `confidence_pct`.'),
        bands: bands.describe('Outcomes by band.'),
      }),
    )
    .describe('Outcomes by confidence: below 50, and 50 or more.'),
  by_month: z
    .array(
      z.strictObject({
        month: z.string().describe('`YYYY-MM`.'),
        flights: outcomeFields.flights,
        disrupted: outcomeFields.disrupted,
        bands: bands.describe('Outcomes by band.'),
      }),
    )
    .nullable()
    .describe('Outcomes by month; null if the training of the model did not report them.'),
});

export type ScoreReliabilityBody = z.infer<typeof scoreReliabilityBody>;
