import { figure, month, percent } from '../format.ts';
import type { Compared, RecordEnds, RecordTotals } from './places-data.ts';

/** What is told, and how it stands. */
export type Fact = [what: string, value: string];

/** How often flights of a record, which has some, came late or were cancelled. */
export function recordFacts(
  told: { record: RecordTotals; late_share: number | null; network_share: number },
  locale: string,
): Fact[] {
  const { record, late_share: late, network_share: everywhere } = told;
  const share = late === null ? 'not known' : percent(late, locale);
  return [
    ['More than 30 minutes late', `${share} of them; ${percent(everywhere, locale)} everywhere`],
    ['Cancelled', percent(record.cancelled / record.flights, locale)],
  ];
}

/** From when its record is; the history may have no months between of it. */
export function recordEndsFact(
  { record_ends: ends }: { record_ends: RecordEnds },
  locale: string,
): Fact {
  const value = ends ? `${month(ends.first, locale)} and ${month(ends.last, locale)}` : 'not known';
  return ['Its first and last month on record', value];
}

/** On how many of its flights a comparison with like ones rests. */
export function comparedFact(compared: Compared | null, what: string, locale: string): Fact {
  const value = compared ? `${figure(compared.flights, locale)} ${what}` : 'too few flights';
  return ['Compared fairly on', value];
}
