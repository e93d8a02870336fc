import { figure, month, percent } from '../format.ts';
import type { ComparisonBody, RecordEnds, RecordTotals } from './places-data.ts';

/** One line in a list of facts. */
export type Fact = [name: string, value: string];

/** Returns the shares of late and cancelled flights in the record. The record must not be empty. */
export function recordFacts(
  data: { record: RecordTotals; late_share: number | null; network_share: number },
  locale: string,
): Fact[] {
  const { record, late_share: late, network_share: average } = data;
  const share = late === null ? 'unknown' : percent(late, locale);
  return [
    ['More than 30 minutes late', `${share}; all flights: ${percent(average, locale)}`],
    ['Cancelled', percent(record.cancelled / record.flights, locale)],
  ];
}

/**
 * Returns the first and last month of the record. The text joins the two months with "and". It does not say "from" and
 * "to", because months in between may be missing.
 */
export function recordEndsFact(
  { record_ends: ends }: { record_ends: RecordEnds },
  locale: string,
): Fact {
  const value = ends ? `${month(ends.first, locale)} and ${month(ends.last, locale)}` : 'unknown';
  return ['First and last month on record', value];
}

/**
 * Returns the number of flights that the comparison uses. These are the flights for which there are similar flights of
 * others.
 */
export function comparedFact(compared: ComparisonBody | null, unit: string, locale: string): Fact {
  const value = compared ? `${figure(compared.flights, locale)} ${unit}` : 'too few flights';
  return ['Used in the comparison', value];
}
