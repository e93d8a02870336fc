import { z } from 'zod';
import { errorBody } from './error.ts';
import { count } from './field.ts';
import { INCLUDES, includeOf } from './include.ts';
import { inboundDelaysParam } from './inbound-delay.ts';
import { signedParam } from './params.ts';
import { payoutParam } from './payout.ts';
import { scoreBody } from './score.ts';

/** Maximum number of flights in one call. */
const BATCH_MAX = 50;

/** Parameters of `/api/score/batch`. */
export const batchParams = z.object({
  flights: z
    .string()
    .transform((flights) => flights.split(','))
    .refine(({ length }) => length <= BATCH_MAX, {
      error: ({ input }) =>
        `must be 1 to ${BATCH_MAX} flights such as JFK-LAX-AA-2026-12-20, separated by commas; received ${(input as string[]).length}`,
    })
    .meta({
      description: `1 to ${BATCH_MAX} flights, separated by commas. Each is origin, destination, airline and date, optionally with a departure time: \`JFK-LAX-AA-2026-12-20T17:30\`. A flight number replaces route and airline: \`AA4567-2026-12-20\`, or \`AA4567-JFK-2026-12-20\` for its leg from JFK.`,
      example: ['JFK-LAX-AA-2026-03-20', 'JFK-LAX-DL-2026-03-20T17:30'],
      wire: {
        type: 'array',
        items: { type: 'string', pattern: '^[^,]*$' },
        minItems: 1,
        maxItems: BATCH_MAX,
      },
    }),
  inbound_delays: inboundDelaysParam,
  include: includeOf(INCLUDES).meta({ example: ['outlook'] }),
  payout: payoutParam,
  signed: signedParam,
});

const flight = z.string().describe('The flight as sent.');

const batchResult = z.union([
  z.strictObject({
    flight,
    result: scoreBody.describe('The response of `/api/score`; absent if `error` is present.'),
  }),
  z.strictObject({
    flight,
    error: errorBody.describe('The error of `/api/score`; absent if `result` is present.'),
  }),
]);

/** Response of `/api/score/batch`. Results are in the order of the flights. */
export const batchBody = z.strictObject({
  count: count('flights', 1).max(BATCH_MAX).describe('Number of flights in the request.'),
  results: z
    .array(batchResult)
    .min(1)
    .max(BATCH_MAX)
    .describe('One result per flight, in the order of the request.'),
});

export type BatchResult = z.infer<typeof batchResult>;
export type BatchBody = z.infer<typeof batchBody>;
