import { figure, percent } from '../format.ts';
import type { Compared, RecordTotals } from './places-data.ts';

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

/** On how many of its flights a comparison with like ones rests. */
export function comparedFact(compared: Compared | null, what: string, locale: string): Fact {
  const value = compared ? `${figure(compared.flights, locale)} ${what}` : 'too few flights';
  return ['Compared fairly on', value];
}
