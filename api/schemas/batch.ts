import { z } from 'zod';
import { errorBody } from './error.ts';
import { count } from './field.ts';
import { scoreBody } from './score.ts';

/** How many flights one call may ask for. */
const BATCH_MAX = 50;

/** Parameters of `/api/score/batch`. */
export const batchParams = z.object({
  flights: z
    .string()
    .transform((flights) => flights.split(','))
    .refine(({ length }) => length <= BATCH_MAX, {
      error: ({ input }) =>
        `must be 1 to ${BATCH_MAX} flights such as JFK-LAX-AA-2026-12-20, with commas between; these are ${(input as string[]).length}`,
    })
    .meta({
      description: `1 to ${BATCH_MAX} flights with commas between, each origin, destination, airline and date, or with a departure time behind: \`JFK-LAX-AA-2026-12-20T17:30\`.`,
      example: ['JFK-LAX-AA-2026-03-20', 'LAX-JFK-DL-2026-03-27T17:30'],
      wire: {
        type: 'array',
        items: { type: 'string', pattern: '^[^,]*$' },
        minItems: 1,
        maxItems: BATCH_MAX,
      },
    }),
});

const flight = z.string().describe('The flight as it was given.');

const batchResult = z.union([
  z.strictObject({
    flight,
    result: scoreBody.describe('The answer of `/api/score`; absent with `error`.'),
  }),
  z.strictObject({
    flight,
    error: errorBody.describe('What `/api/score` would refuse it with; absent with `result`.'),
  }),
]);

/** Answer of `/api/score/batch`; results in the order of the flights. */
export const batchBody = z.strictObject({
  count: count('flights', 1).max(BATCH_MAX).describe('How many flights were asked for.'),
  results: z
    .array(batchResult)
    .min(1)
    .max(BATCH_MAX)
    .describe('One of each flight, in their order.'),
});

export type BatchResult = z.infer<typeof batchResult>;
export type BatchBody = z.infer<typeof batchBody>;
