import { XMLParser } from 'fast-xml-parser';
import { StorageAwayError, StorageRefusedError, type StoredObject } from './objects.ts';

const SERVER_BUSY = new Set([408, 429, 500, 502, 503, 504]);
/** Answers 400 to what was cut or changed on the way. */
const CUT = new Set(['BadDigest', 'IncompleteBody', 'RequestTimeout', 'XAmzContentSHA256Mismatch']);

const XML = new XMLParser({
  parseTagValue: false,
  isArray: (name) => name === 'Contents',
});

/** What may stand between this machine and the storage, and answer in its place. */
const CHECK_WAY =
  'check S3_ENDPOINT, S3_REGION and LAKE_URL, and whether a proxy answers in place of the storage';

/** Whether the storage says that it has no object of that name. The 404 of a proxy or a bucket says nothing of an object. */
export function isNoSuchObject(status: number, text: string): boolean {
  return status === 404 && errorIn(text).Code === 'NoSuchKey';
}

/** What a refusal means, and what helps. */
export function problemOf(status: number, text: string, place: string): Error {
  const { Code: code, Message: message = '' } = errorIn(text);
  if (code === undefined && !SERVER_BUSY.has(status)) {
    return new StorageRefusedError(place, `HTTP ${status} without an error of S3`, CHECK_WAY);
  }
  const what = code ?? `HTTP ${status}`;
  const detail = message === '' ? what : `${what}, ${message.replace(/\.$/, '')}`;
  if (SERVER_BUSY.has(status) || CUT.has(what)) return new StorageAwayError(place, detail);
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
  return new StorageRefusedError(place, detail, CHECK_WAY);
}

function errorIn(text: string): { Code?: string; Message?: string } {
  try {
    const { Error: found } = XML.parse(text) as { Error?: { Code?: string; Message?: string } };
    return found ?? {};
  } catch {
    return {};
  }
}

type Listed = {
  /** Empty text where the list has no elements at all. */
  ListBucketResult:
    | {
        Contents?: { Key: string; Size: string; LastModified: string }[];
        NextContinuationToken?: string;
      }
    | '';
};

const LIST_BEGINS = /^\s*(?:<\?xml[^>]*>\s*)?<ListBucketResult[\s/>]/;
const LIST_ENDS = /(?:<\/ListBucketResult>|<ListBucketResult[^>]*\/>)\s*$/;

/**
 * The objects of a page of a list, their names without the first letters, and what asks for the next page. Throws
 * `StorageRefusedError` for any other page, and `StorageAwayError` for a list that was cut: neither says what is not there.
 */
export function listingOf(
  text: string,
  skip: number,
  place: string,
): { objects: StoredObject[]; next?: string } {
  if (!LIST_BEGINS.test(text)) {
    throw new StorageRefusedError(place, 'what came is no list of objects', CHECK_WAY);
  }
  if (!LIST_ENDS.test(text)) throw new StorageAwayError(place, 'a list of objects was cut');
  const { ListBucketResult: result } = XML.parse(text) as Listed;
  const { Contents: contents = [], NextContinuationToken: next } = result || {};
  const objects = contents.map(({ Key, Size, LastModified }) => ({
    name: Key.slice(skip),
    bytes: Number(Size),
    at: new Date(LastModified),
  }));
  return { objects, ...(next !== undefined && next !== '' && { next }) };
}
