import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { pipeline } from 'node:stream/promises';
import { AwsClient } from 'aws4fetch';
import { ExponentialBackoff, handleType, retry } from 'cockatiel';
import { sha256 } from '../ground/sha256.ts';
import { isNoSuchObject, listingOf, problemOf } from './s3-answers.ts';
import { intoPlace } from '../ground/into-place.ts';
import {
  damagedObject,
  StorageAwayError,
  type Expected,
  type Objects,
  type StoredObject,
} from './objects.ts';

export type S3Options = {
  bucket: string;
  /** Without slashes at its ends; empty: the bucket itself. */
  prefix: string;
  /** `https://host:port`; the bucket follows as the first part of the path. */
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
  /** Before the second try; doubled for each further one, with jitter. */
  retryMs?: number;
  /** For one exchange without its bytes. */
  deadlineMs?: number;
};

/** Five tries in about 6 s; a job that fails then is tried again later. */
const RETRIES = 4;
const RETRY_MS = 300;
const DEADLINE_MS = 30_000;
/** The slowest connection that is still of use. */
const BYTES_PER_MS = 100;
/** Bytes came that are not those that were written; once more than the network would explain, the object is damaged. */
class OtherBytesError extends StorageAwayError {}

type Asked = {
  method: 'GET' | 'PUT' | 'DELETE';
  name?: string;
  query?: Record<string, string>;
  body?: Buffer;
  /** Bytes that travel, either way. */
  bytes?: number;
};

/** Objects in a bucket of any server that speaks S3, addressed by path. Every exchange has a deadline and is tried again when it fails. */
export function s3Objects(options: S3Options): Objects {
  const { bucket, prefix } = options;
  const below = prefix === '' ? '' : `${prefix}/`;
  const place = `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`;
  const exchange = exchangeWith(options, place);
  const patient = retry(handleType(StorageAwayError), {
    maxAttempts: RETRIES,
    backoff: new ExponentialBackoff({ initialDelay: options.retryMs ?? RETRY_MS }),
  });
  const page = (start: string, query: Record<string, string>) =>
    patient.execute(async () => {
      const asked = { 'list-type': '2', prefix: `${below}${start}`, ...query };
      const answer = await exchange({ method: 'GET', query: asked }, textOf);
      return listingOf(answer ?? '', below.length, place);
    });
  return {
    place,
    list: async (start) => {
      const found: StoredObject[] = [];
      let next: string | undefined;
      do {
        const part = await page(start, next === undefined ? {} : { 'continuation-token': next });
        found.push(...part.objects);
        ({ next } = part);
      } while (next !== undefined);
      return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    read: (name) =>
      patient.execute(() =>
        exchange({ method: 'GET', name: `${below}${name}` }, async (answer) =>
          Buffer.from(await answer.arrayBuffer()),
        ),
      ),
    get: (name, file, expected) =>
      intoPlace(file, async (temporary) => {
        const once = () =>
          exchange({ method: 'GET', name: `${below}${name}`, bytes: expected.bytes }, (answer) =>
            receive(answer, temporary, { place, name, expected }),
          );
        const found = await patient.execute(once).catch((error: unknown) => {
          if (!(error instanceof OtherBytesError)) throw error;
          throw damagedObject(place, name, 'its bytes are not those that were written');
        });
        if (found === undefined) throw damagedObject(place, name, 'not there');
      }),
    put: (name, body) =>
      patient.execute(async () => {
        await exchange(
          { method: 'PUT', name: `${below}${name}`, body, bytes: body.length },
          textOf,
        );
      }),
    remove: (name) =>
      patient.execute(async () => {
        await exchange({ method: 'DELETE', name: `${below}${name}` }, textOf);
      }),
    check: async () => {
      await page('', { 'max-keys': '1' });
    },
  };
}

/** One exchange; reading or removing an object that is not there gives undefined. */
function exchangeWith(options: S3Options, place: string) {
  const { accessKeyId, secretAccessKey, sessionToken, region, deadlineMs = DEADLINE_MS } = options;
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    region,
    service: 's3',
    retries: 0,
  });
  return async <T>(
    asked: Asked,
    take: (answer: Response) => Promise<T>,
  ): Promise<T | undefined> => {
    const signal = AbortSignal.timeout(deadlineMs + Math.round((asked.bytes ?? 0) / BYTES_PER_MS));
    try {
      const answer = await client.fetch(urlOf(options, asked), {
        method: asked.method,
        // A server that checks it takes no body that was cut or changed on the way.
        headers: asked.body ? { 'x-amz-content-sha256': sha256(asked.body) } : {},
        ...(asked.body && { body: new Uint8Array(asked.body) }),
        redirect: 'manual',
        signal,
      });
      if (answer.ok) return await take(answer);
      const text = await textOf(answer);
      const mayBeMissing = asked.name !== undefined && asked.method !== 'PUT';
      if (mayBeMissing && isNoSuchObject(answer.status, text)) return undefined;
      throw problemOf(answer.status, text, place);
    } catch (error) {
      if (error instanceof StorageAwayError || !isOfNetwork(error, signal)) throw error;
      const why = signal.aborted ? `no answer within ${deadlineMs / 1000} s` : reasonOf(error);
      throw new StorageAwayError(place, why, { cause: error });
    }
  };
}

function urlOf({ endpoint, bucket }: S3Options, { name, query = {} }: Asked): string {
  const path = [bucket, ...(name?.split('/') ?? [])].map(encodeURIComponent).join('/');
  const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
  return `${endpoint.replace(/\/+$/, '')}/${path}${search === '' ? '' : `?${search}`}`;
}

const textOf = (answer: Response) => answer.text();

/** Takes the bytes as they come; what is not as expected was cut or changed on the way, and is asked for again. */
async function receive(
  answer: Response,
  file: string,
  { place, name, expected }: { place: string; name: string; expected: Expected },
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
  if (answer.body) {
    await pipeline(
      Readable.fromWeb(answer.body as ReadableStream),
      counting,
      createWriteStream(file),
    );
  }
  if (bytes === expected.bytes && hash.digest('hex') === expected.sha256) return true;
  throw new OtherBytesError(place, `${name}: ${bytes} bytes of ${expected.bytes} came, or others`);
}

/** What fetch and its streams throw; a full disk is none of it. */
function isOfNetwork(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted) return true;
  const { code } = error as NodeJS.ErrnoException;
  return (
    error instanceof TypeError || ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code ?? '')
  );
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
