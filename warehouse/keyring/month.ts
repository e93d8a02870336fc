/** The quota period an instant falls in: one calendar month in UTC, `[startsAt, endsAt)`. */
export type QuotaMonth = {
  /** `YYYY-MM`. */
  readonly name: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
};

/** The month asked for last; nearly every call asks for the same one. */
let latest = quotaMonthAt(new Date(0));

/** The UTC calendar month of the instant. */
export function quotaMonth(at: Date): QuotaMonth {
  const ms = at.getTime();
  // Dates that are compared become numbers by way of methods, which every call would pay for.
  if (ms < latest.startsAt.getTime() || ms >= latest.endsAt.getTime()) latest = quotaMonthAt(at);
  return latest;
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

/** The months, `YYYY-MM`, from that of the first instant up to and without that of the second; oldest first. */
export function finishedMonths(from: Date, now: Date): string[] {
  const months: string[] = [];
  const { startsAt: current } = quotaMonth(now);
  for (let month = quotaMonth(from); month.startsAt < current; month = quotaMonth(month.endsAt)) {
    months.push(month.name);
  }
  return months;
}
