/** The quota period an instant falls in: one calendar month in UTC, `[startsAt, endsAt)`. */
export type QuotaMonth = {
  /** `YYYY-MM`. */
  name: string;
  startsAt: Date;
  endsAt: Date;
};

/** The UTC calendar month of the instant. */
export function quotaMonth(at: Date): QuotaMonth {
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth();
  return {
    name: at.toISOString().slice(0, 7),
    startsAt: new Date(Date.UTC(year, month, 1)),
    endsAt: new Date(Date.UTC(year, month + 1, 1)),
  };
}
