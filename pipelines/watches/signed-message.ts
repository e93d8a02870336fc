import { Webhook } from 'standardwebhooks';

/** Content of a message. */
export type MessageContent = {
  type: string;
  /** Time of the event that the message reports (ISO). */
  at: string;
  /** A text for people. Absent in messages that only programs read. */
  text?: string;
  data: Record<string, unknown>;
};

/** Returns the body of a message. */
export function messageBody({ type, at: timestamp, text, data }: MessageContent): string {
  return JSON.stringify({ type, timestamp, text, data });
}

/**
 * Returns the headers of a message, signed as Standard Webhooks specifies. `id` is the same in every attempt, so that
 * receivers can detect repeats. Each attempt has a new signature, because receivers refuse old signatures.
 */
export function signedHeaders(
  secret: string,
  { id, body, at }: { id: string; body: string; at: Date },
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}
