import type { NasStatus } from '../../warehouse/live/nas.ts';
import { SourceFormatError } from '../errors.ts';
import { statusError, type GuardedFetch } from '../fetch-guarded.ts';
import { nameOf } from '../news/feed-reader.ts';
import { feedText } from '../news/feed-text.ts';
import { isJson, parseNasStatus } from './parse.ts';

/** What one fetch may take. It is read on the thread of the worker, unlike feeds; a day of storms is 30 kB. */
export const NAS_LIMITS = { deadlineMs: 10_000, maxBytes: 500_000 };

export type NasDeps = {
  /** Absent: nothing is fetched. */
  url: string | undefined;
  fetch: GuardedFetch;
  save: (status: NasStatus) => Promise<void>;
  now: () => Date;
};

export type NasReport = {
  /** Measures in force. */
  programs: number;
  /** Why nobody was asked. */
  problem?: string;
};

/** Fetches the FAA's airport status and keeps it; the one before stays, and grows old, when it cannot be had. */
export async function refreshNas({ url, fetch, save, now }: NasDeps): Promise<NasReport> {
  if (url === undefined) {
    return { programs: 0, problem: 'not fetched: NAS_STATUS_URL is not set, or OFFLINE=1 is' };
  }
  const answer = await fetch({ url });
  if (answer.status !== 200) throw statusError(url, answer, now());
  const source = nameOf(url);
  const programs = parseNasStatus(source, readable(source, answer.body), now());
  await save({ fetchedAt: now().toISOString(), programs });
  return { programs: programs.length };
}

/** XML passes what keeps feeds from harming their parser; JSON needs no more than its size bounded, as the fetch does. */
function readable(source: string, body: Buffer): string {
  const asJson = body.toString();
  if (isJson(asJson)) return asJson;
  try {
    return feedText(body);
  } catch (error) {
    throw new SourceFormatError(source, (error as Error).message, { cause: error });
  }
}
