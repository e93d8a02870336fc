import { z } from 'zod';

export type NoticeConfig = Readonly<{
  /** Who is told when something is not well; nobody when absent. */
  notify: Readonly<{ url: string; secret: string }> | undefined;
  /** Days after its end from which the newest month of flights is stale; absent: when history is old. */
  staleAfterDays: number | undefined;
}>;

/** The settings of notices, as environment variables. */
export const NOTICE_SETTINGS = {
  // An address of a chat is a secret: it is never repeated in a message.
  NOTIFY_URL: z
    .string()
    .refine(isHttpUrl, 'NOTIFY_URL is not an http:// or https:// address')
    .optional(),
  NOTIFY_SECRET: z
    .string()
    .refine(
      (text) => /^(whsec_)?[A-Za-z\d+/]{32,}={0,2}$/.test(text),
      'NOTIFY_SECRET is not a secret: openssl rand -base64 32 makes one',
    )
    .optional(),
  STALE_AFTER_DAYS: z
    .string()
    .refine((text) => /^\d{1,5}$/.test(text), {
      error: ({ input }) => `STALE_AFTER_DAYS "${input}" is not a number of days`,
    })
    .transform(Number)
    .optional(),
};

type Given = {
  NOTIFY_URL?: string | undefined;
  NOTIFY_SECRET?: string | undefined;
  STALE_AFTER_DAYS?: number | undefined;
};

/** What parsed settings say of notices; an address without a secret was refused before. */
export function noticeOf({ NOTIFY_URL, NOTIFY_SECRET, STALE_AFTER_DAYS }: Given): NoticeConfig {
  const isTold = NOTIFY_URL !== undefined && NOTIFY_SECRET !== undefined;
  return {
    notify: isTold ? Object.freeze({ url: NOTIFY_URL, secret: NOTIFY_SECRET }) : undefined,
    staleAfterDays: STALE_AFTER_DAYS,
  };
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
