import { SourceOutageError, SourceRefusedError } from '../errors.ts';
import type { HttpGet, HttpResponse } from '../http-get.ts';
import type { Progress } from '../../warehouse/progress.ts';
import {
  absenceReason,
  isPage,
  PAGE_MESSAGE,
  peek,
  retryAfterMs,
  totalBytes,
  validatorOf,
  type Validator,
} from './http-answer.ts';
import { isDiskFull } from '../../warehouse/ground/files.ts';

/** A finished download, with the validators that identify its version on the server. */
export type SavedFile = Validator & { url: string; path: string; bytes: number; sha256: string };

/** The first bytes of an interrupted download, with the version of the file. */
export type PartFile = Validator & { url: string; bytes: number };

/** Place of one download on disk. Only one process may use it at a time. */
export type DownloadPlace = {
  /** Returns the last finished download; undefined if the file is missing or incomplete. */
  readSaved: () => Promise<SavedFile | undefined>;
  /** Returns the interrupted download, if there is one. */
  readPart: () => Promise<PartFile | undefined>;
  /**
   * Keeps the first `from` bytes of the part and discards the rest. Then appends `body`, which has the next bytes of
   * `version`.
   */
  write: (
    version: Validator & { url: string },
    from: number,
    body: AsyncIterable<Uint8Array>,
  ) => Promise<void>;
  /** Hashes the part and renames it to the finished file. */
  finish: () => Promise<SavedFile>;
  discardPart: () => Promise<void>;
};

export type DownloadRequest = {
  url: string;
  /** Fetch the file even if it is unchanged. */
  force?: boolean;
};

export type Download =
  | { outcome: 'downloaded' | 'unchanged'; file: SavedFile }
  /** The server does not have the file, or does not have it yet. */
  | { outcome: 'absent'; why: string };

/**
 * Maximum size of a download. A month of BTS has about 30 MB zipped and 280 MB as CSV, so a larger file cannot be a
 * month.
 */
const MAX_DOWNLOAD_BYTES = 1_000_000_000;

const PARTIAL = 206;
const NOT_MODIFIED = 304;
const RANGE_NOT_SATISFIABLE = 416;

/**
 * Fetches a file if it changed since the last download. Resumes an interrupted download of the same version.
 * Throws SourceOutageError if a retry may help, otherwise SourceRefusedError.
 */
export async function download(
  { url, force = false }: DownloadRequest,
  { get, place, maxBytes = MAX_DOWNLOAD_BYTES }: DownloadDeps,
  progress: Progress,
): Promise<Download> {
  const saved = await onlyFrom(url, place.readSaved());
  const part = await onlyFrom(url, place.readPart());
  const reusable = force ? undefined : saved;
  const headers = { ...conditionalHeaders(reusable), ...(part && rangeHeaders(part)) };
  const response = await get({ url, method: 'GET', headers });
  try {
    if (response.status === NOT_MODIFIED && reusable) {
      await place.discardPart();
      return { outcome: 'unchanged', file: reusable };
    }
    const start = findStart(response, part);
    if (start === 'restart') {
      await place.discardPart();
      return await download({ url, force }, { get, place, maxBytes }, progress);
    }
    const why = absenceReason(response);
    if (why !== undefined) return { outcome: 'absent', why };
    refuseOtherStatus(url, response);
    const { first, body } = await peek(response.body);
    if (start === 0 && isPage(first)) return { outcome: 'absent', why: PAGE_MESSAGE };
    await receive(url, { ...response, body }, start, { place, maxBytes }, progress);
    return { outcome: 'downloaded', file: await place.finish() };
  } finally {
    await response.cancel().catch(() => undefined);
  }
}

export type DownloadDeps = { get: HttpGet; place: DownloadPlace; maxBytes?: number };

/** Returns the stored file if it was downloaded from this address. */
async function onlyFrom<T extends { url: string }>(
  url: string,
  stored: Promise<T | undefined>,
): Promise<T | undefined> {
  const file = await stored;
  return file?.url === url ? file : undefined;
}

function conditionalHeaders(saved: SavedFile | undefined): Record<string, string> {
  return {
    ...(saved?.etag && { 'if-none-match': saved.etag }),
    ...(saved?.lastModified && { 'if-modified-since': saved.lastModified }),
  };
}

/** Headers that resume a download. A weak ETag does not guarantee equal bytes, so it cannot be used to resume. */
function rangeHeaders({ bytes, etag, lastModified }: PartFile): Record<string, string> {
  const version = etag?.startsWith('"') ? etag : lastModified;
  if (bytes === 0 || version === undefined) return {};
  return { range: `bytes=${bytes}-`, 'if-range': version };
}

/**
 * Returns the position in the file at which the body starts; 0 for a whole file. Returns `restart` if the body does not
 * continue the stored part.
 */
function findStart(response: HttpResponse, part: PartFile | undefined): number | 'restart' {
  if (response.status === RANGE_NOT_SATISFIABLE && part) return 'restart';
  if (response.status !== PARTIAL) return 0;
  const range = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '');
  if (part === undefined) return 0;
  return Number(range?.[1]) === part.bytes ? part.bytes : 'restart';
}

/** Throws for every status other than success: SourceOutageError if a retry may help, otherwise SourceRefusedError. */
export function refuseOtherStatus(
  url: string,
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
): void {
  if (status === 200 || status === PARTIAL) {
    const encoding = headers.get('content-encoding') ?? 'identity';
    if (encoding === 'identity') return;
    throw new SourceRefusedError(
      url,
      `the server sends it with content-encoding ${encoding}, which was not requested`,
    );
  }
  const isOutage = status >= 500 || status === 429 || status === 408 || status === 425;
  if (!isOutage) throw new SourceRefusedError(url, `the server answers ${status}`);
  const delayMs = retryAfterMs(headers, Date.now());
  throw new SourceOutageError(url, `the server answers ${status}`, {
    ...(delayMs !== undefined && { retryAfterMs: delayMs }),
  });
}

async function receive(
  url: string,
  response: HttpResponse,
  start: number,
  { place, maxBytes }: { place: DownloadPlace; maxBytes: number },
  progress: Progress,
): Promise<void> {
  const expected = totalBytes(response, start);
  let received = start;
  async function* countBytes() {
    for await (const chunk of response.body) {
      received += chunk.length;
      if (received > maxBytes) throw tooBigError(url, maxBytes);
      yield chunk;
      progress(
        received,
        expected ?? Math.max(received, maxBytes),
        describeProgress(received, expected),
      );
    }
  }
  if (expected !== undefined && expected > maxBytes) throw tooBigError(url, maxBytes);
  try {
    await place.write({ url, ...validatorOf(response.headers) }, start, countBytes());
  } catch (error) {
    // If the disk is full, remove the part too, because the retry needs the space.
    if (error instanceof SourceRefusedError || isDiskFull(error)) await place.discardPart();
    throw error;
  }
  if (expected !== undefined && received !== expected) {
    throw new SourceOutageError(url, `cut off after ${received} of ${expected} bytes`);
  }
}

function tooBigError(url: string, maxBytes: number): SourceRefusedError {
  return new SourceRefusedError(
    url,
    `is bigger than ${maxBytes / 1e6} MB, too big for a month of flights`,
  );
}

function describeProgress(received: number, expected: number | undefined): string {
  const total = expected === undefined ? '' : ` of ${(expected / 1e6).toFixed(1)}`;
  return `downloaded ${(received / 1e6).toFixed(1)}${total} MB`;
}
