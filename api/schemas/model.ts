import { z } from 'zod';
import { count, points, share } from './field.ts';
import { label } from './label.ts';

/** Flights of like score, and what became of them. */
const came = {
  flights: count('flights').describe('How many.'),
  share: share.describe('Their share of all.'),
  disrupted: share.nullable().describe('Share of them delayed or cancelled; null without any.'),
};

const bands = z.array(
  z.strictObject({ label: label.describe('The band of their score.'), ...came }),
);

/** What flights are of. */
const covered = {
  airports: count('airports').describe('Airports they leave from or arrive at.'),
  airlines: count('airlines').describe('Airlines that fly them.'),
  routes: count('routes').describe('From one airport to another.'),
};

const scoreReliabilityBody = z.strictObject({
  note: z.string().describe('What the flights were scored without.'),
  months: z.array(z.string()).describe('The months they are of, `YYYY-MM`.'),
  flights: came.flights,
  coverage: z
    .strictObject(covered)
    .nullable()
    .describe('What the flights are of: figures of other airports and airlines there are none.'),
  disrupted: came.disrupted,
  bands: bands.describe('By band.'),
  tenths: z
    .array(
      z.strictObject({
        from: points.describe('Lowest score.'),
        to: points.describe('Highest score.'),
        ...came,
      }),
    )
    .describe('By tenth of the scale.'),
  by_confidence: z
    .array(
      z.strictObject({
        from: points.meta({ 'x-unit': '%' }).describe('Lowest `confidence_pct`.'),
        to: points.meta({ 'x-unit': '%' }).describe('Highest `confidence_pct`.'),
        bands: bands.describe('By band.'),
      }),
    )
    .describe('By confidence, below 50 and from there on.'),
  by_month: z
    .array(
      z.strictObject({
        month: z.string().describe('`YYYY-MM`.'),
        flights: came.flights,
        disrupted: came.disrupted,
        bands: bands.describe('By band.'),
      }),
    )
    .nullable()
    .describe('By month of the flights; null for a model whose training did not report it.'),
});

/** Answer of `/api/model`. */
export const modelBody = z.strictObject({
  version: z.string().describe('First 12 characters of the SHA-256 of the model file.'),
  contract: z.string().describe('Digest of the ordered names of the features.'),
  features: z
    .array(
      z.strictObject({
        name: z.string().describe('Its name.'),
        unit: z.string().describe('Its unit.'),
        what: z.string().describe('What it is.'),
      }),
    )
    .describe('What the model knows of a flight, in its order.'),
  trained_on: z
    .strictObject({
      months: z.array(z.string()).describe('Months, `YYYY-MM`.'),
      rows: count('rows').describe('Rows.'),
      data_sha256: z.string().describe('Digest of the data.'),
      coverage: z
        .strictObject({
          first_month: z.string().describe('Of the flights, `YYYY-MM`.'),
          last_month: z.string().describe('Of the flights, `YYYY-MM`.'),
          flights: came.flights,
          ...covered,
        })
        .nullable()
        .describe('The flights it learned from one by one; older months are in the effects alone.'),
    })
    .describe('What it was made from.'),
  seed: z.int().describe('Of the random numbers of its training.'),
  code_version: z.string().describe('Of the code that trained it.'),
  created_at: z.string().nullable().describe('When it was trained; null where that is not known.'),
  metrics: z
    .record(z.string(), z.unknown())
    .describe(
      'As the training reported them, on flights of months the model had not seen. Events in force change `ml_probability` after the model, so no figure here is about them.',
    ),
  score_reliability: scoreReliabilityBody
    .nullable()
    .describe(
      'What became of flights by the score they would have had; null for a model whose training did not report it.',
    ),
  outlook_shares: z
    .strictObject({
      under_15: share.describe('Of flights up to 30 minutes late: less than 15.'),
      from_15_to_30: share.describe('Of the same: 15 to 30.'),
      from_30_to_60: share.describe('Of flights more than 30 minutes late: up to 60.'),
      from_60_to_120: share.describe('Of the same: up to 120.'),
      over_120: share.describe('Of the same: more than 120.'),
    })
    .describe('How delays spread.'),
});

export type ModelBody = z.infer<typeof modelBody>;
