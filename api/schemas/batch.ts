import { z } from 'zod';
import { errorBody } from './error.ts';
import { scoreBody } from './score.ts';

/** How many flights one call may ask for. */
export const BATCH_MAX = 50;

/** Parameters of `/api/score/batch`. */
export const batchParams = z.object({
  flights: z
    .string()
    .regex(
      new RegExp(`^[^,]+(,[^,]+){0,${BATCH_MAX - 1}}$`),
      `must be 1 to ${BATCH_MAX} flights such as JFK-LAX-AA-2026-12-20, with commas between`,
    )
    .transform((flights) => flights.split(','))
    .meta({
      description: `1 to ${BATCH_MAX} flights with commas between, each with a departure time or without.`,
      example: 'JFK-LAX-AA-2026-12-20,LAX-JFK-B6-2026-12-27T17:30',
    }),
});

const batchResult = z.union([
  z.strictObject({ flight: z.string(), result: scoreBody }),
  z.strictObject({ flight: z.string(), error: errorBody }),
]);

/** Answer of `/api/score/batch`; results in the order of the flights. */
export const batchBody = z.strictObject({
  count: z.int().min(1).max(BATCH_MAX),
  results: z.array(batchResult).min(1).max(BATCH_MAX),
});

export type BatchResult = z.infer<typeof batchResult>;
export type BatchBody = z.infer<typeof batchBody>;
