import { ConstantBackoff, handleAll, retry } from 'cockatiel';
import { isOk, sendRequest } from '../../warehouse/ground/http-exchange.ts';
import { sha256 } from '../../warehouse/ground/hashes.ts';
import { messageBody, signedHeaders } from '../../pipelines/watches/signed-message.ts';

/** A message about an incident or a model. `text` is for people; Slack shows this field. */
export type Notice = {
  /** Equal in every attempt, so that receivers can detect repeats. */
  id: string;
  type: string;
  /** When the incident or the news happened (ISO). */
  at: string;
  text: string;
  data: Record<string, unknown>;
};

/** The address of notices. */
export type NoticeHook = {
  /** Hash of the address. The address itself is never shown, because addresses of chats are secrets. */
  address: string;
  /** Sends a notice. Throws if the address does not accept it. */
  send: (notice: Notice) => Promise<void>;
};

type RetryPolicy = { tries: number; pauseMs: number; timeoutMs: number };

const RETRY_POLICY: RetryPolicy = { tries: 3, pauseMs: 1_000, timeoutMs: 10_000 };
const ADDRESS_LENGTH = 12;

/** Longest time that sending a notice takes, in ms. */
export const SENDING_MS = RETRY_POLICY.tries * (RETRY_POLICY.timeoutMs + RETRY_POLICY.pauseMs);

/** Returns the short hash that identifies an address. */
export function addressHash(url: string): string {
  return sha256(url).slice(0, ADDRESS_LENGTH);
}

/**
 * Creates a hook that posts notices to an address. Notices are signed as Standard Webhooks specifies, with
 * `webhook-id`, `webhook-timestamp` and `webhook-signature`. A notice that is not accepted is sent up to three times,
 * with the same id.
 */
export function createWebhook(
  { url, secret }: { url: string; secret: string },
  now: () => Date,
  policy: Partial<RetryPolicy> = {},
): NoticeHook {
  const { tries, pauseMs, timeoutMs } = { ...RETRY_POLICY, ...policy };
  const backoff = new ConstantBackoff(pauseMs);
  const retries = retry(handleAll, { maxAttempts: tries - 1, backoff });
  const send = ({ id, ...content }: Notice) => {
    const body = messageBody(content);
    return retries.execute(() => {
      const headers = signedHeaders(secret, { id, body, at: now() });
      return post(url, { headers, body, signal: AbortSignal.timeout(timeoutMs) });
    });
  };
  return { address: addressHash(url), send };
}

async function post(
  url: string,
  request: { headers: Record<string, string>; body: string; signal: AbortSignal },
) {
  const response = await sendRequest(url, { ...request, method: 'POST' });
  response.discard();
  if (!isOk(response)) throw new Error(`the address of NOTIFY_URL answered ${response.status}`);
}
