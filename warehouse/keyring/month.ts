/** A quota period: one calendar month in UTC, `[startsAt, endsAt)`. */
export type QuotaMonth = {
  /** `YYYY-MM`. */
  readonly name: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
};

/** The month of the last call. It is cached, because nearly all calls are in the same month. */
let cachedMonth = quotaMonthAt(new Date(0));

/** Returns the UTC calendar month of an instant. */
export function quotaMonth(at: Date): QuotaMonth {
  const ms = at.getTime();
  // Numbers are compared, because comparing `Date` objects calls a method each time.
  if (ms < cachedMonth.startsAt.getTime() || ms >= cachedMonth.endsAt.getTime()) {
    cachedMonth = quotaMonthAt(at);
  }
  return cachedMonth;
}

function quotaMonthAt(at: Date): QuotaMonth {
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth();
  return {
    name: at.toISOString().slice(0, 7),
    startsAt: new Date(Date.UTC(year, month, 1)),
    endsAt: new Date(Date.UTC(year, month + 1, 1)),
  };
}

/** Lists the months `YYYY-MM` that ended before `now`, from the month of `from` on, oldest first. */
export function finishedMonths(from: Date, now: Date): string[] {
  const months: string[] = [];
  const { startsAt: current } = quotaMonth(now);
  for (let month = quotaMonth(from); month.startsAt < current; month = quotaMonth(month.endsAt)) {
    months.push(month.name);
  }
  return months;
}
