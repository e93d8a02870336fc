/** The quota period an instant falls in: one calendar month in UTC, `[startsAt, endsAt)`. */
export type QuotaMonth = {
  /** `YYYY-MM`. */
  readonly name: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
};

/** The month asked for last; nearly every call asks for the same one. */
let latest = monthOf(new Date(0));

/** The UTC calendar month of the instant. */
export function quotaMonth(at: Date): QuotaMonth {
  if (at < latest.startsAt || at >= latest.endsAt) latest = monthOf(at);
  return latest;
}

function monthOf(at: Date): QuotaMonth {
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth();
  return {
    name: at.toISOString().slice(0, 7),
    startsAt: new Date(Date.UTC(year, month, 1)),
    endsAt: new Date(Date.UTC(year, month + 1, 1)),
  };
}
