/**
 * Moves the dates and months in an example to their next occurrence, so that a test call is about a future flight.
 */
export function moveDatesAhead(example: string, today: string): string {
  const year = Number(today.slice(0, 4));
  return example.replaceAll(/\b\d{4}((?:-\d\d){1,2})(?!\d)/g, (_, monthAndDay: string) =>
    `${year}${monthAndDay}` < today.slice(0, 4 + monthAndDay.length)
      ? `${year + 1}${monthAndDay}`
      : `${year}${monthAndDay}`,
  );
}
