import { figure, month, percent } from '../format.ts';
import type { ComparisonBody, RecordEnds, RecordTotals } from './places-data.ts';

/** A line of the list of facts. */
export type Fact = [name: string, value: string];

/** Returns the shares of late and cancelled flights. The record must have flights. */
export function recordFacts(
  data: { record: RecordTotals; late_share: number | null; network_share: number },
  locale: string,
): Fact[] {
  const { record, late_share: late, network_share: average } = data;
  const share = late === null ? 'unknown' : percent(late, locale);
  return [
    ['More than 30 minutes late', `${share}; network average ${percent(average, locale)}`],
    ['Cancelled', percent(record.cancelled / record.flights, locale)],
  ];
}

/**
 * Returns the first and last month on record. Months between them may be missing, so the text does not claim a whole
 * period.
 */
export function recordEndsFact(
  { record_ends: ends }: { record_ends: RecordEnds },
  locale: string,
): Fact {
  const value = ends ? `${month(ends.first, locale)} and ${month(ends.last, locale)}` : 'unknown';
  return ['First and last month on record', value];
}

/** Returns the number of flights that have similar flights to compare with. */
export function comparedFact(compared: ComparisonBody | null, unit: string, locale: string): Fact {
  const value = compared ? `${figure(compared.flights, locale)} ${unit}` : 'too few flights';
  return ['Used in the comparison', value];
}
