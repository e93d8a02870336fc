/** The usage of a key in a finished month. */
export type UsageRow = {
  /** `YYYY-MM`. */
  month: string;
  requests: number;
  /** The limit when the row was written. */
  monthlyLimit: number;
  /** When the row was written, ISO 8601. */
  loggedAt: string;
};

/** Number of months in the usage history. */
const HISTORY_MONTHS = 24;

/** Formats a row for the hash `hw:history`. The field of the row is its month. */
export function formatRow({ requests, monthlyLimit, loggedAt }: Omit<UsageRow, 'month'>): string {
  return JSON.stringify([requests, monthlyLimit, loggedAt]);
}

/** Parses the rows of the hash `hw:history`, newest first, at most 24. */
export function readHistory(fields: Record<string, string>): UsageRow[] {
  return Object.entries(fields)
    .map(([month, text]) => {
      const [requests, monthlyLimit, loggedAt] = JSON.parse(text) as [number, number, string];
      return { month, requests, monthlyLimit, loggedAt };
    })
    .toSorted((a, b) => (a.month < b.month ? 1 : -1))
    .slice(0, HISTORY_MONTHS);
}
