import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { sha256 } from '../../warehouse/ground/sha256.ts';

/** What is told: `text` is for people, and where Slack looks. */
export type Notice = {
  /** The same each time it is sent, by which a receiver knows one that it has. */
  id: string;
  type: string;
  /** When it happened, ISO. */
  at: string;
  text: string;
  data: Record<string, unknown>;
};

/** Where notices go. */
export type NoticeHook = {
  /** Tells one address from another without showing it: addresses of chats are secrets. */
  address: string;
  /** Sends a notice; throws when nobody took it. */
  send: (notice: Notice) => Promise<void>;
};

type Patience = { tries: number; pauseMs: number; timeoutMs: number };

const PATIENCE: Patience = { tries: 3, pauseMs: 1_000, timeoutMs: 10_000 };
const ADDRESS_LENGTH = 12;

/** How long a notice is sent at most, in ms. */
export const SENDING_MS = PATIENCE.tries * (PATIENCE.timeoutMs + PATIENCE.pauseMs);

/** What an address is called. */
export function addressName(url: string): string {
  return sha256(url).slice(0, ADDRESS_LENGTH);
}

/**
 * Posts notices to an address, signed as Standard Webhooks has it: `webhook-id`, `webhook-timestamp` and `webhook-signature`. One
 * that is not taken is sent three times under the same id.
 */
export function createWebhook(
  { url, secret }: { url: string; secret: string },
  now: () => Date,
  patience: Partial<Patience> = {},
): NoticeHook {
  const webhook = new Webhook(secret);
  const { tries, pauseMs, timeoutMs } = { ...PATIENCE, ...patience };
  const send = async ({ id, type, at: timestamp, text, data }: Notice) => {
    const body = JSON.stringify({ type, timestamp, text, data });
    for (let left = tries; ; left--) {
      // Signed anew each time: receivers refuse what was signed a while ago.
      const at = now();
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': webhook.sign(id, at, body),
      };
      try {
        return await post(url, { headers, body, signal: AbortSignal.timeout(timeoutMs) });
      } catch (error) {
        if (left === 1) throw error;
        await sleep(pauseMs);
      }
    }
  };
  return { address: addressName(url), send };
}

async function post(
  url: string,
  request: { headers: Record<string, string>; body: string; signal: AbortSignal },
) {
  const answer = await fetch(url, { ...request, method: 'POST', redirect: 'error' });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the address of NOTIFY_URL answers ${answer.status}`);
}
