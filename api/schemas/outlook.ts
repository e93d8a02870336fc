import { z } from 'zod';
import { OUTCOMES } from '../../models/outlook.ts';

const share = z.number().min(0).max(1);
const percent = z.number().min(0).max(100);
const points = z.int().min(0).max(100);

/** `outlook` of a score: outcomes in order, adding up to 1; null without a model. */
export const outlookBody = z
  .array(z.strictObject({ outcome: z.enum(OUTCOMES), probability: share }))
  .length(OUTCOMES.length)
  .nullable();

/** `interval` of a score: from and to at that level. */
export const intervalBody = z.strictObject({
  level: share,
  ml_probability: z.tuple([percent, percent]).nullable(),
  score: z.tuple([points, points]),
});

export type OutlookBody = z.infer<typeof outlookBody>;
export type IntervalBody = z.infer<typeof intervalBody>;
