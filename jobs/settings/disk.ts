import { wholeNumber } from './kinds.ts';

/**
 * Bytes that every job leaves free, even with `MIN_FREE_MB=0`. Redis needs them to record calls and jobs. Without them,
 * Redis refuses writes and calls get 503.
 */
const RESERVED_BYTES = 64_000_000;

/** The setting of the disk; its value is in bytes. */
export const DISK_SETTINGS = {
  MIN_FREE_MB: wholeNumber('MIN_FREE_MB', 500, 'megabytes', 7).transform((megabytes) =>
    Math.max(megabytes * 1_000_000, RESERVED_BYTES),
  ),
};
