/**
 * Maximum number of deliveries of one account at a time. Slow receivers of this account then leave slots to other
 * accounts.
 */
const SLOTS = 20;
/**
 * Each wait is longer than the wait before by about the time of one delivery. Waiting deliveries then return one by
 * one.
 */
const STEP_MS = 5;
const FIRST_WAIT_MS = 250;

/** Limits the deliveries that run at a time for each account. */
export function createAccountSlots(): {
  /** Takes a slot and returns 0; without a free slot, returns the time to wait in ms. */
  take: (account: string) => number;
  release: (account: string) => void;
} {
  const accounts = new Map<string, { taken: number; waitUntil: number }>();
  return {
    take: (account) => {
      const entry = accounts.get(account) ?? { taken: 0, waitUntil: 0 };
      accounts.set(account, entry);
      if (entry.taken < SLOTS) {
        entry.taken += 1;
        return 0;
      }
      const now = performance.now();
      entry.waitUntil = Math.max(entry.waitUntil + STEP_MS, now + FIRST_WAIT_MS);
      return Math.ceil(entry.waitUntil - now);
    },
    release: (account) => {
      const entry = accounts.get(account);
      if (!entry) return;
      entry.taken -= 1;
      if (entry.taken === 0) accounts.delete(account);
    },
  };
}
