import { z } from 'zod';
import { DELAY_MINUTES } from '../../models/delay-curve.ts';
import type { PayoutTerm } from '../../models/payout.ts';
import { measure, share } from './field.ts';

const [SHORTEST, LONGEST] = [Math.min(...DELAY_MINUTES), Math.max(...DELAY_MINUTES)];
const MAX_TERMS = 10;

/**
 * One term of a payout: an event and an amount. The event is a delay of 15 to 360 minutes, a cancellation or a
 * diversion. The amount has at most two decimals.
 */
const TERM = String.raw`(1[5-9]|[2-9]\d|[12]\d\d|3[0-5]\d|360|cancelled|diverted):\d{1,7}(\.\d{1,2})?`;
const TERMS = new RegExp(`^${TERM}(,${TERM}){0,${MAX_TERMS - 1}}$`);

const PROBLEM = `must be 1 to ${MAX_TERMS} different terms such as 60:100,120:250,cancelled:400; each is minutes from ${SHORTEST} to ${LONGEST}, cancelled or diverted, then a colon and an amount`;

/** Parameter `payout`: the amounts that an insurance pays for a delay, a cancellation or a diversion. */
export const payoutParam = z
  .string()
  .regex(TERMS, PROBLEM)
  .refine(hasDifferentTerms, { error: PROBLEM })
  .transform((text) => text.split(',').map(readTerm))
  .optional()
  .meta({
    description: `Adds the expected payout. Terms are separated by commas: \`60:100\` pays 100 for an arrival more than 60 minutes late (any limit from ${SHORTEST} to ${LONGEST}), \`cancelled:400\` pays 400 for a cancellation, \`diverted:400\` for a diversion. If a delay exceeds several limits, only the term with the longest limit is paid.`,
    example: '60:100,120:250,cancelled:400',
  });

function hasDifferentTerms(text: string): boolean {
  const conditions = text.split(',').map((term) => readTerm(term).condition);
  return new Set(conditions).size === conditions.length;
}

function readTerm(term: string): PayoutTerm {
  const [condition = '', amount] = term.split(':');
  return {
    condition:
      condition === 'cancelled' || condition === 'diverted' ? condition : Number(condition),
    amount: Number(amount),
  };
}

const amount = measure('amount').min(0);

/** Field `payout` of a score. Amounts are in the caller's own currency. */
export const payoutBody = z
  .strictObject({
    expected: amount.describe('Expected payout; 2 decimals.'),
    standard_deviation: amount.describe('Standard deviation of the payout of one flight.'),
    low: amount.describe('Lower end of the 90 % band of `expected`.'),
    high: amount.describe('Upper end of the 90 % band of `expected`.'),
    terms: z
      .array(
        z.strictObject({
          condition: z.string().describe('Minutes, `cancelled` or `diverted`, as sent.'),
          amount: amount.describe('Amount of the term.'),
          probability: share.describe('Probability that this term pays; 4 decimals.'),
        }),
      )
      .describe('The terms in the order of the parameter.'),
  })
  .nullable()
  .describe('Expected payout by the terms of the parameter `payout`; null without a model.');

export type PayoutBody = z.infer<typeof payoutBody>;
