import type { Outcome } from '../../../../warehouse/build/as-of.ts';

/** Flights of a month (`YYYY-MM`) from JFK to LAX at 8:00, spread evenly over its first days; a tenth is late. */
export function someOutcomes(month: string, flights: number, days: number): Outcome[] {
  return Array.from({ length: days }, (_, day) => {
    const completed = Math.floor((flights * (day + 1)) / days) - Math.floor((flights * day) / days);
    return {
      origin: 'JFK',
      dest: 'LAX',
      carrier: 'B6',
      flight_date: `${month}-${String(day + 1).padStart(2, '0')}`,
      dated_by: 'day' as const,
      local_hour: 8,
      completed_count: completed,
      delayed15_count: Math.round(completed / 10),
      delayed_count: Math.round(completed / 10),
      delayed45_count: 0,
      delayed60_count: 0,
      delayed90_count: 0,
      delayed120_count: 0,
      delayed180_count: 0,
      delayed360_count: 0,
      diverted_count: 0,
      cancelled_count: 0,
    };
  });
}
