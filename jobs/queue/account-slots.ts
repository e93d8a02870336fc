/**
 * Maximum number of deliveries of one account at a time. Slow receivers of this account then leave slots to other
 * accounts.
 */
const SLOTS = 20;
/**
 * Maximum number of deliveries after a failed delivery, until the next success. It is lower, so that many accounts with
 * hanging receivers leave slots to others too.
 */
const SLOTS_AFTER_FAILURE = 5;
/**
 * Difference between the waits of two deliveries that find no free slot: about the time of one delivery. Waiting
 * deliveries then return one by one. After a failure, deliveries return more rarely, because each return is work for
 * Redis.
 */
const STEP_MS = 5;
const STEP_AFTER_FAILURE_MS = 50;
const FIRST_WAIT_MS = 250;

/** Whether the receiver accepted the last message of a delivery. */
export type DeliveryOutcome = 'accepted' | 'failed';

/** Limits the deliveries that run at a time for each account. */
export function createAccountSlots(): {
  /** Takes a slot and returns 0; without a free slot, returns the time to wait in ms. */
  take: (account: string) => number;
  release: (account: string, outcome: DeliveryOutcome) => void;
} {
  const accounts = new Map<string, { taken: number; waitUntil: number; isFailing: boolean }>();
  return {
    take: (account) => {
      const entry = accounts.get(account) ?? { taken: 0, waitUntil: 0, isFailing: false };
      accounts.set(account, entry);
      if (entry.taken < (entry.isFailing ? SLOTS_AFTER_FAILURE : SLOTS)) {
        entry.taken += 1;
        return 0;
      }
      const now = performance.now();
      const stepMs = entry.isFailing ? STEP_AFTER_FAILURE_MS : STEP_MS;
      entry.waitUntil = Math.max(entry.waitUntil + stepMs, now + FIRST_WAIT_MS);
      return Math.ceil(entry.waitUntil - now);
    },
    release: (account, outcome) => {
      const entry = accounts.get(account);
      if (!entry) return;
      entry.taken -= 1;
      if (entry.isFailing && outcome === 'accepted') entry.waitUntil = 0;
      entry.isFailing = outcome === 'failed';
      if (entry.taken === 0 && !entry.isFailing) accounts.delete(account);
    },
  };
}
