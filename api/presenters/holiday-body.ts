import type { Assessment } from '../../models/types.ts';
import { round } from '../../warehouse/ground/round.ts';

/** The day near a holiday with its odds of delay; null on any other day. */
export function holidayBodyOf({ holiday }: Pick<Assessment, 'holiday'>) {
  if (holiday?.name === undefined) return null;
  return { name: holiday.name, odds: round(Math.exp(holiday.logOdds), 3) };
}
