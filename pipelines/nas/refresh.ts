import type { NasStatus } from '../../warehouse/live/nas.ts';
import { SourceFormatError } from '../../warehouse/errors.ts';
import { statusError, type GuardedFetch } from '../fetch-guarded.ts';
import { feedName } from '../news/feed-reader.ts';
import { feedText } from '../news/feed-text.ts';
import { isJson, parseNasStatus } from './parse.ts';

/**
 * Limits of one fetch. They are low, because the worker parses the status on its main thread, unlike feeds. On a day of
 * storms, the status has 30 kB.
 */
export const NAS_LIMITS = { deadlineMs: 10_000, maxBytes: 500_000 };

export type NasDeps = {
  /** If absent, nothing is fetched. */
  url: string | undefined;
  fetch: GuardedFetch;
  save: (status: NasStatus) => Promise<void>;
  now: () => Date;
};

export type NasReport = {
  /** Measures in force. */
  programs: number;
  /** Why nothing was fetched. */
  problem?: string;
};

/**
 * Fetches the FAA's airport status and saves it. When the fetch fails, the former status stays, with its old fetch
 * time.
 */
export async function refreshNas({ url, fetch, save, now }: NasDeps): Promise<NasReport> {
  if (url === undefined) {
    return { programs: 0, problem: 'not fetched: NAS_STATUS_URL is not set, or OFFLINE=1 is set' };
  }
  const answer = await fetch({ url });
  if (answer.status !== 200) throw statusError(url, answer, now());
  const source = feedName(url);
  const programs = parseNasStatus(source, decodeBody(source, answer.body), now());
  await save({ fetchedAt: now().toISOString(), programs });
  return { programs: programs.length };
}

/** Checks XML by the rules for feeds, to protect the parser. JSON needs only the size limit of the fetch. */
function decodeBody(source: string, body: Buffer): string {
  const asJson = body.toString();
  if (isJson(asJson)) return asJson;
  try {
    return feedText(body);
  } catch (error) {
    throw new SourceFormatError(source, (error as Error).message, { cause: error });
  }
}
