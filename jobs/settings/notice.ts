import { z } from 'zod';

export type NoticeConfig = Readonly<{
  /** Address and secret for notices. If absent, no notices are sent. */
  notify: Readonly<{ url: string; secret: string }> | undefined;
  /**
   * Flights become stale this many days after the end of their newest month. If absent, the limits of `make status`
   * apply.
   */
  staleAfterDays: number | undefined;
}>;

/** The environment variables of notices. */
export const NOTICE_SETTINGS = {
  // Messages never contain the address: addresses of chats are secrets.
  NOTIFY_URL: z
    .string()
    .refine(isHttpUrl, 'NOTIFY_URL is not an http:// or https:// address')
    .optional(),
  NOTIFY_SECRET: z
    .string()
    .refine(
      (text) => /^(whsec_)?[A-Za-z\d+/]{32,}={0,2}$/.test(text),
      'NOTIFY_SECRET is not a valid secret: create one with openssl rand -base64 32',
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

type NoticeSettings = {
  NOTIFY_URL?: string | undefined;
  NOTIFY_SECRET?: string | undefined;
  STALE_AFTER_DAYS?: number | undefined;
};

/** Returns the notices' part of the configuration. `readConfig` refuses an address without a secret. */
export function noticeOf({
  NOTIFY_URL,
  NOTIFY_SECRET,
  STALE_AFTER_DAYS,
}: NoticeSettings): NoticeConfig {
  const hasAddress = NOTIFY_URL !== undefined && NOTIFY_SECRET !== undefined;
  return {
    notify: hasAddress ? Object.freeze({ url: NOTIFY_URL, secret: NOTIFY_SECRET }) : undefined,
    staleAfterDays: STALE_AFTER_DAYS,
  };
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
