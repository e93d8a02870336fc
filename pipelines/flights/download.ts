import { SourceOutageError, SourceRefusedError } from '../errors.ts';
import type { HttpGet, HttpResponse } from '../http-get.ts';
import type { Progress } from '../../warehouse/progress.ts';
import {
  absence,
  isPage,
  PAGE_INSTEAD,
  peek,
  retryAfterMs,
  totalBytes,
  validatorOf,
  type Validator,
} from './http-answer.ts';

/** A finished download, and by what the server knows it again. */
export type SavedFile = Validator & { url: string; path: string; bytes: number; sha256: string };

/** The first bytes of a download that was cut off, and of which version of the file they are. */
export type PartFile = Validator & { url: string; bytes: number };

/** Where one file is kept on disk; one process at a time uses it. */
export type DownloadPlace = {
  /** The file as it was finished last; undefined when it is not there in its full size. */
  saved: () => Promise<SavedFile | undefined>;
  part: () => Promise<PartFile | undefined>;
  /** Writes a piece of `version` behind the first `from` bytes of the part; what was there beyond them goes. */
  write: (
    version: Validator & { url: string },
    from: number,
    body: AsyncIterable<Uint8Array>,
  ) => Promise<void>;
  /** Makes the part the file, hashed, and durable. */
  finish: () => Promise<SavedFile>;
  discardPart: () => Promise<void>;
};

export type DownloadRequest = {
  url: string;
  /** Fetch it even when it is the file we have. */
  force?: boolean;
};

export type Download =
  | { outcome: 'downloaded' | 'unchanged'; file: SavedFile }
  /** The server has no such file, yet. */
  | { outcome: 'absent'; why: string };

/** A month of BTS has about 30 MB zipped, 280 MB as CSV; anything bigger is no month. */
const MAX_DOWNLOAD_BYTES = 1_000_000_000;

const PARTIAL = 206;
const NOT_MODIFIED = 304;
const RANGE_NOT_SATISFIABLE = 416;

/**
 * Fetches a file unless it is the one we have, going on where a download of the same version was cut off.
 * Throws SourceOutageError for what may be better later, SourceRefusedError for what may not.
 */
export async function download(
  { url, force = false }: DownloadRequest,
  { get, place, maxBytes = MAX_DOWNLOAD_BYTES }: DownloadDeps,
  progress: Progress,
): Promise<Download> {
  const saved = await of(url, place.saved());
  const part = await of(url, place.part());
  const known = force ? undefined : saved;
  const headers = { ...unlessIs(known), ...(part && from(part)) };
  const response = await get({ url, method: 'GET', headers });
  try {
    if (response.status === NOT_MODIFIED && known) {
      await place.discardPart();
      return { outcome: 'unchanged', file: known };
    }
    const start = startOf(response, part);
    if (start === 'anew') {
      await place.discardPart();
      return await download({ url, force }, { get, place, maxBytes }, progress);
    }
    const why = absence(response);
    if (why !== undefined) return { outcome: 'absent', why };
    refuseOtherStatus(url, response);
    const { first, body } = await peek(response.body);
    if (start === 0 && isPage(first)) return { outcome: 'absent', why: PAGE_INSTEAD };
    await receive(url, { ...response, body }, start, { place, maxBytes }, progress);
    return { outcome: 'downloaded', file: await place.finish() };
  } finally {
    await response.cancel().catch(() => undefined);
  }
}

export type DownloadDeps = { get: HttpGet; place: DownloadPlace; maxBytes?: number };

/** Only what came from that address counts. */
async function of<T extends { url: string }>(
  url: string,
  found: Promise<T | undefined>,
): Promise<T | undefined> {
  const file = await found;
  return file?.url === url ? file : undefined;
}

function unlessIs(saved: SavedFile | undefined): Record<string, string> {
  return {
    ...(saved?.etag && { 'if-none-match': saved.etag }),
    ...(saved?.lastModified && { 'if-modified-since': saved.lastModified }),
  };
}

/** A weak ETag does not promise the same bytes, so it cannot join two pieces; without a validator nothing can. */
function from({ bytes, etag, lastModified }: PartFile): Record<string, string> {
  const version = etag?.startsWith('"') ? etag : lastModified;
  if (bytes === 0 || version === undefined) return {};
  return { range: `bytes=${bytes}-`, 'if-range': version };
}

/** Where the body belongs: 0 for a whole file; `anew` when the server's piece does not fit ours. */
function startOf(response: HttpResponse, part: PartFile | undefined): number | 'anew' {
  if (response.status === RANGE_NOT_SATISFIABLE && part) return 'anew';
  if (response.status !== PARTIAL) return 0;
  const range = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '');
  if (part === undefined) return 0;
  return Number(range?.[1]) === part.bytes ? part.bytes : 'anew';
}

function refuseOtherStatus(url: string, { status, headers }: HttpResponse): void {
  if (status === 200 || status === PARTIAL) {
    const encoding = headers.get('content-encoding') ?? 'identity';
    if (encoding === 'identity') return;
    throw new SourceRefusedError(
      url,
      `is sent packed as ${encoding}, though we asked for it as is`,
    );
  }
  const isOutage = status >= 500 || status === 429 || status === 408 || status === 425;
  if (!isOutage) throw new SourceRefusedError(url, `the server answers ${status}`);
  const after = retryAfterMs(headers, Date.now());
  throw new SourceOutageError(url, `the server answers ${status}`, {
    ...(after !== undefined && { retryAfterMs: after }),
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
  async function* counted() {
    for await (const chunk of response.body) {
      received += chunk.length;
      if (received > maxBytes) throw tooBig(url, maxBytes);
      yield chunk;
      progress(received, expected ?? Math.max(received, maxBytes), megabytes(received, expected));
    }
  }
  if (expected !== undefined && expected > maxBytes) throw tooBig(url, maxBytes);
  try {
    await place.write({ url, ...validatorOf(response.headers) }, start, counted());
  } catch (error) {
    if (error instanceof SourceRefusedError) await place.discardPart();
    throw error;
  }
  if (expected !== undefined && received !== expected) {
    throw new SourceOutageError(url, `cut off after ${received} of ${expected} bytes`);
  }
}

function tooBig(url: string, maxBytes: number): SourceRefusedError {
  return new SourceRefusedError(url, `is bigger than ${maxBytes / 1e6} MB, so it is no month`);
}

function megabytes(received: number, expected: number | undefined): string {
  const of = expected === undefined ? '' : ` of ${(expected / 1e6).toFixed(1)}`;
  return `downloaded ${(received / 1e6).toFixed(1)}${of} MB`;
}
