import { XMLParser } from 'fast-xml-parser';
import { StorageUnavailableError, StorageRefusedError, type StoredObject } from './objects.ts';

const SERVER_BUSY = new Set([408, 429, 500, 502, 503, 504]);
/**
 * S3's error codes for a request that was truncated or changed on its way. They come with status 400, but a retry can
 * help.
 */
const TRUNCATED = new Set([
  'BadDigest',
  'IncompleteBody',
  'RequestTimeout',
  'XAmzContentSHA256Mismatch',
]);

const XML = new XMLParser({
  parseTagValue: false,
  isArray: (name) => name === 'Contents',
});

/** Advice for errors that may come from a server other than the storage. */
const CHECK_CONNECTION =
  'check S3_ENDPOINT, S3_REGION and LAKE_URL, and whether a proxy answers instead of the storage';

/** Whether the storage says that the object does not exist. A 404 of a proxy or for a missing bucket does not count. */
export function isNoSuchObject(status: number, text: string): boolean {
  return status === 404 && parseS3Error(text).Code === 'NoSuchKey';
}

/** Converts an error response into an error with a remedy. */
export function toStorageError(status: number, text: string, place: string): Error {
  const { Code: code, Message: message = '' } = parseS3Error(text);
  if (code === undefined && !SERVER_BUSY.has(status)) {
    return new StorageRefusedError(
      place,
      `HTTP ${status} without an S3 error code`,
      CHECK_CONNECTION,
    );
  }
  const label = code ?? `HTTP ${status}`;
  const detail = message === '' ? label : `${label}, ${message.replace(/\.$/, '')}`;
  if (SERVER_BUSY.has(status) || TRUNCATED.has(label)) {
    return new StorageUnavailableError(place, detail);
  }
  if (code === 'NoSuchBucket') {
    const remedy = 'create the bucket, or correct the bucket in LAKE_URL';
    return new StorageRefusedError(place, detail, remedy);
  }
  if (code === 'RequestTimeTooSkewed') {
    return new StorageRefusedError(place, detail, 'set the clock of this machine');
  }
  if (status === 401 || status === 403) {
    const remedy =
      'check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and S3_REGION, and that the key may list, read, write and delete there';
    return new StorageRefusedError(place, detail, remedy);
  }
  return new StorageRefusedError(place, detail, CHECK_CONNECTION);
}

function parseS3Error(text: string): { Code?: string; Message?: string } {
  try {
    const { Error: error } = XML.parse(text) as { Error?: { Code?: string; Message?: string } };
    return error ?? {};
  } catch {
    return {};
  }
}

type S3Listing = {
  /** For an empty XML element, the parser returns an empty string instead of an object. */
  ListBucketResult:
    | {
        Contents?: { Key: string; Size: string; LastModified: string }[];
        NextContinuationToken?: string;
      }
    | '';
};

const LIST_START = /^\s*(?:<\?xml[^>]*>\s*)?<ListBucketResult[\s/>]/;
const LIST_END = /(?:<\/ListBucketResult>|<ListBucketResult[^>]*\/>)\s*$/;

/**
 * Parses a page of a list. Returns the objects and the token of the next page. The first `skip` letters of each
 * object's name are left out. Throws `StorageRefusedError` for any other document, and `StorageUnavailableError` for a
 * truncated list: otherwise the response would be mistaken for an empty list.
 */
export function parseListing(
  text: string,
  skip: number,
  place: string,
): { objects: StoredObject[]; next?: string } {
  if (!LIST_START.test(text)) {
    throw new StorageRefusedError(place, 'the answer is not a list of objects', CHECK_CONNECTION);
  }
  if (!LIST_END.test(text)) {
    throw new StorageUnavailableError(place, 'a list of objects was truncated');
  }
  const { ListBucketResult: result } = XML.parse(text) as S3Listing;
  const { Contents: contents = [], NextContinuationToken: next } = result || {};
  const objects = contents.map(({ Key, Size, LastModified }) => ({
    name: Key.slice(skip),
    bytes: Number(Size),
    at: new Date(LastModified),
  }));
  return { objects, ...(next !== undefined && next !== '' && { next }) };
}
