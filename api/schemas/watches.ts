import { z } from 'zod';
import { WATCHES_PER_ACCOUNT, type Watch } from '../../warehouse/live/watches.ts';
import { containsSecret } from '../redact.ts';
import { count, instant, openEnum, points } from './field.ts';
import { label } from './label.ts';
import { flag, wholeNumber } from './params.ts';
import { flightParams, inputBody } from './score.ts';

const DEFAULT_POINTS = 10;
const MAX_URL_LENGTH = 2_000;

/** Parameters of `POST /api/watches`. */
export const createWatchParams = flightParams.extend({
  url: z
    .string()
    .max(MAX_URL_LENGTH, `must have at most ${MAX_URL_LENGTH} characters`)
    .refine((url) => !containsSecret(url), 'must not contain a key or an e-mail address')
    .meta({
      description:
        'Address that receives the messages, `https://…`. It must echo the challenge of the first message.',
      example: 'https://hooks.example/flights',
    }),
  points: wholeNumber(
    { min: 1, max: 100 },
    {
      description: 'The smallest change of the score that is sent.',
      example: 15,
      wire: { default: DEFAULT_POINTS },
    },
  ).default(DEFAULT_POINTS),
  band: flag.default(true).meta({
    description: 'Whether each change of `label` is sent too.',
    wire: { type: 'boolean', default: true },
    example: false,
  }),
});

/** A cursor names the last watch of the previous page: the time of its creation, in ms since 1970, and its id. */
const CURSOR = /^(\d{1,15})-(watch_[0-9a-f]+)$/;

/** Parameters of `GET /api/watches`. */
export const watchesParams = z.object({
  limit: wholeNumber(
    { min: 1, max: WATCHES_PER_ACCOUNT },
    {
      description: 'Maximum number of watches in the response.',
      example: 100,
      wire: { default: WATCHES_PER_ACCOUNT },
    },
  ).default(WATCHES_PER_ACCOUNT),
  cursor: z.string().regex(CURSOR, 'must be `next_cursor` of an earlier page').optional().meta({
    description:
      '`next_cursor` of the previous page. If absent, the list begins with the oldest watch.',
    example: '1773151200000-watch_5f0c1d2e3a4b5c6d',
  }),
});

/** Formats a position as a cursor. */
export function cursorOf({ id, createdAt }: Pick<Watch, 'id' | 'createdAt'>): string {
  return `${Date.parse(createdAt)}-${id}`;
}

/** Parses a cursor that the schema accepts. */
export function readCursor(cursor: string): Pick<Watch, 'id' | 'createdAt'> {
  const [, ms, id = ''] = CURSOR.exec(cursor) ?? [];
  return { id, createdAt: new Date(Number(ms)).toISOString() };
}

const watchId = z.string().describe('Id of the watch.');

/** A watch, as callers see it. */
export const watchEntry = z
  .strictObject({
    id: watchId,
    input: inputBody,
    url: z.string().describe('Address that receives the messages.'),
    points: points.describe('The smallest change of the score that is sent.'),
    band: z.boolean().describe('Whether each change of `label` is sent too.'),
    created_at: instant.describe('When the watch was created.'),
    score: points.describe('The score that was sent last; at first the score at the creation.'),
    label: label.describe('The band that was sent last.'),
    scored_at: instant.describe('When this score was computed.'),
    pending: count('messages').describe('Messages that the receiver has not accepted yet.'),
  })
  .describe('A watch.');

/** Response of `POST /api/watches`. */
export const createWatchBody = z.strictObject({
  watch: watchEntry,
  secret: z
    .string()
    .describe('Signs all messages of your account. Verify them with it, and keep it secret.'),
});

/** Response of `GET /api/watches`. */
export const watchesBody = z.strictObject({
  watches: z.array(watchEntry).describe('The watches of the account, oldest first.'),
  next_cursor: z
    .string()
    .nullable()
    .describe('The parameter `cursor` of the next page; null on the last page.'),
  limit: count('watches').describe(
    'The largest number of watches of an account, not the `limit` of the request.',
  ),
});

/** Response of `GET /api/watches/{id}`. */
export const watchBody = z.strictObject({
  watch: watchEntry,
  deliveries: z
    .array(
      z.strictObject({
        id: z.string().describe('Id of the message (`webhook-id`), equal in every attempt.'),
        at: instant.describe('When the attempt was made.'),
        outcome: openEnum(['delivered', 'failed', 'dropped']).describe(
          '`failed`: another attempt follows. `dropped`: not accepted within a day.',
        ),
        reason: z.string().nullable().describe('Why the attempt failed; null if it did not.'),
      }),
    )
    .describe('The last 50 attempts of the last 30 days, newest first.'),
});

/** Response of `DELETE /api/watches/{id}`. */
export const deleteWatchBody = z.strictObject({
  id: watchId,
  deleted: z.literal(true).describe('The watch and its messages are deleted.'),
});

export type WatchesParams = z.output<typeof watchesParams>;
export type CreateWatchParams = z.output<typeof createWatchParams>;
export type WatchEntry = z.infer<typeof watchEntry>;
export type CreateWatchBody = z.infer<typeof createWatchBody>;
export type WatchesBody = z.infer<typeof watchesBody>;
export type WatchBody = z.infer<typeof watchBody>;
export type DeleteWatchBody = z.infer<typeof deleteWatchBody>;
