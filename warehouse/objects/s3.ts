import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';
import { ExponentialBackoff, handleType, retry } from 'cockatiel';
import {
  BrokenExchangeError,
  isOk,
  readBody,
  sendRequest,
  type HttpAnswer,
} from '../ground/http-exchange.ts';
import { sha256 } from '../ground/hashes.ts';
import { isNoSuchObject, parseListing, toStorageError } from './s3-answers.ts';
import {
  damagedObjectError,
  StorageUnavailableError,
  type ExpectedContent,
  type Objects,
  type StoredObject,
} from './objects.ts';
import { writeAtomically } from '../ground/temporary.ts';

export type S3Options = {
  bucket: string;
  /** Prefix of object names, without slashes at its ends. Empty for the whole bucket. */
  prefix: string;
  /** `https://host:port`. The bucket is the first part of the path of each request. */
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
  /** Wait before the first retry, in ms. Each further retry waits twice as long, with random variation. */
  retryMs?: number;
  /** Deadline of one request in ms. The time for transferring the bytes is added. */
  deadlineMs?: number;
};

/** With 4 retries, a request fails after about 6 s. Its job is retried later. */
const RETRIES = 4;
const RETRY_MS = 300;
const DEADLINE_MS = 30_000;
/** Speed of the slowest connection that is still usable; extends the deadline of large transfers. */
const BYTES_PER_MS = 100;
/** The received bytes are not the expected bytes. If retries do not help, the object is damaged. */
class ContentMismatchError extends StorageUnavailableError {
  override readonly name = 'ContentMismatchError';
}

type S3Request = {
  method: 'GET' | 'PUT' | 'DELETE';
  name?: string;
  query?: Record<string, string>;
  body?: Buffer;
  /** Number of bytes to transfer, which extends the deadline. */
  bytes?: number;
};

/**
 * Opens a bucket of any S3-compatible server, with path-style addresses. Every request has a deadline, and a failed
 * request is retried.
 */
export function s3Objects(options: S3Options): Objects {
  const { bucket, prefix } = options;
  const keyPrefix = prefix === '' ? '' : `${prefix}/`;
  const place = `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`;
  const exchange = createExchange(options, place);
  const retrying = retry(handleType(StorageUnavailableError), {
    maxAttempts: RETRIES,
    backoff: new ExponentialBackoff({ initialDelay: options.retryMs ?? RETRY_MS }),
  });
  const listPage = (start: string, extra: Record<string, string>) =>
    retrying.execute(async () => {
      const query = { 'list-type': '2', prefix: `${keyPrefix}${start}`, ...extra };
      const text = await exchange({ method: 'GET', query }, readText);
      return parseListing(text ?? '', keyPrefix.length, place);
    });
  return {
    place,
    list: async (namePrefix) => {
      const objects: StoredObject[] = [];
      let next: string | undefined;
      do {
        const page = await listPage(
          namePrefix,
          next === undefined ? {} : { 'continuation-token': next },
        );
        objects.push(...page.objects);
        ({ next } = page);
      } while (next !== undefined);
      return objects.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    read: (name) =>
      retrying.execute(() =>
        exchange({ method: 'GET', name: `${keyPrefix}${name}` }, (answer) => readBody(answer)),
      ),
    get: (name, file, expected) =>
      writeAtomically(file, async (temporary) => {
        const download = () =>
          exchange(
            { method: 'GET', name: `${keyPrefix}${name}`, bytes: expected.bytes },
            (answer) => receive(answer, temporary, { place, name, expected }),
          );
        const isReceived = await retrying.execute(download).catch((error: unknown) => {
          if (!(error instanceof ContentMismatchError)) throw error;
          throw damagedObjectError(place, name, 'its content differs from what was written');
        });
        if (isReceived === undefined) throw damagedObjectError(place, name, 'missing');
      }),
    put: (name, body) =>
      retrying.execute(async () => {
        await exchange(
          { method: 'PUT', name: `${keyPrefix}${name}`, body, bytes: body.length },
          readText,
        );
      }),
    remove: (name) =>
      retrying.execute(async () => {
        await exchange({ method: 'DELETE', name: `${keyPrefix}${name}` }, readText);
      }),
    check: async () => {
      await listPage('', { 'max-keys': '1' });
    },
  };
}

/** Returns a function that sends one request. It returns undefined if the object to read or remove does not exist. */
function createExchange(options: S3Options, place: string) {
  const { accessKeyId, secretAccessKey, sessionToken, region, deadlineMs = DEADLINE_MS } = options;
  const account = {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    region,
    service: 's3',
    // Cache of signing keys, each of which is valid for a day.
    cache: new Map<string, ArrayBuffer>(),
  };
  return async <T>(
    request: S3Request,
    read: (answer: HttpAnswer) => Promise<T>,
  ): Promise<T | undefined> => {
    const signal = AbortSignal.timeout(
      deadlineMs + Math.round((request.bytes ?? 0) / BYTES_PER_MS),
    );
    try {
      const { method, body } = request;
      // The server can compare this hash with the body, and reject a truncated or changed body.
      const hash = body ? { 'x-amz-content-sha256': sha256(body) } : {};
      const url = urlOf(options, request);
      const signed = await new AwsV4Signer({ ...account, method, url, headers: hash }).sign();
      const headers = Object.fromEntries(signed.headers);
      const answer = await sendRequest(url, { method, headers, ...(body && { body }), signal });
      if (isOk(answer)) return await read(answer);
      const text = await readText(answer);
      const mayBeMissing = request.name !== undefined && request.method !== 'PUT';
      if (mayBeMissing && isNoSuchObject(answer.status, text)) return undefined;
      throw toStorageError(answer.status, text, place);
    } catch (error) {
      if (!(error instanceof BrokenExchangeError)) throw error;
      const detail = signal.aborted ? `no answer within ${deadlineMs / 1000} s` : error.message;
      throw new StorageUnavailableError(place, detail, { cause: error });
    }
  };
}

function urlOf({ endpoint, bucket }: S3Options, { name, query = {} }: S3Request): string {
  const path = [bucket, ...(name?.split('/') ?? [])].map(encodeURIComponent).join('/');
  const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
  return `${endpoint.replace(/\/+$/, '')}/${path}${search === '' ? '' : `?${search}`}`;
}

const readText = async (answer: HttpAnswer) => (await readBody(answer)).toString();

/**
 * Writes the response to a file. Throws `ContentMismatchError` if the content is not as expected; the request is then
 * retried.
 */
async function receive(
  answer: HttpAnswer,
  file: string,
  { place, name, expected }: { place: string; name: string; expected: ExpectedContent },
): Promise<true> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(answer.body, counting, createWriteStream(file));
  if (bytes === expected.bytes && hash.digest('hex') === expected.sha256) return true;
  throw new ContentMismatchError(
    place,
    `${name}: the size or the sha256 is wrong (received ${bytes} bytes, expected ${expected.bytes})`,
  );
}
