/** What is kept of a key's finished month. */
export type UsageRow = {
  /** `YYYY-MM`. */
  month: string;
  requests: number;
  /** The limit when the row was written. */
  monthlyLimit: number;
  /** When the row was written, ISO 8601. */
  loggedAt: string;
};

/** How far back usage is told. */
const HISTORY_MONTHS = 24;

/** The value of a row in the history hash; its field is the month. */
export function rowText({ requests, monthlyLimit, loggedAt }: Omit<UsageRow, 'month'>): string {
  return JSON.stringify([requests, monthlyLimit, loggedAt]);
}

/** The rows of a history hash, newest first, 24 at most. */
export function readHistory(fields: Record<string, string>): UsageRow[] {
  return Object.entries(fields)
    .map(([month, text]) => {
      const [requests, monthlyLimit, loggedAt] = JSON.parse(text) as [number, number, string];
      return { month, requests, monthlyLimit, loggedAt };
    })
    .toSorted((a, b) => (a.month < b.month ? 1 : -1))
    .slice(0, HISTORY_MONTHS);
}
