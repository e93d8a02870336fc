import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

/** What is told: `text` is for people, and where Slack looks. */
export type Notice = { type: string; text: string; data: Record<string, unknown> };

/** Sends a notice; throws when nobody took it. */
export type SendNotice = (notice: Notice) => Promise<void>;

const TIMEOUT_MS = 10_000;
const TRIES = 3;
const PAUSE_MS = 1_000;

/**
 * Posts notices to an address, signed as Standard Webhooks has it: `webhook-id`, `webhook-timestamp` and `webhook-signature`. One
 * that is not taken is sent three times under the same id.
 */
export function createWebhook(
  { url, secret }: { url: string; secret: string },
  now: () => Date,
  pauseMs: number = PAUSE_MS,
): SendNotice {
  const webhook = new Webhook(secret);
  return async ({ type, text, data }) => {
    const id = `msg_${randomUUID()}`;
    const at = now();
    const body = JSON.stringify({ type, timestamp: at.toISOString(), text, data });
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': webhook.sign(id, at, body),
    };
    for (let left = TRIES; ; left--) {
      try {
        return await post(url, { headers, body });
      } catch (error) {
        if (left === 1) throw error;
        await sleep(pauseMs);
      }
    }
  };
}

async function post(url: string, request: { headers: Record<string, string>; body: string }) {
  const answer = await fetch(url, {
    ...request,
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the address of NOTIFY_URL answers ${answer.status}`);
}
