import { XMLParser } from 'fast-xml-parser';
import { StorageAwayError, StorageRefusedError, type StoredObject } from './objects.ts';

const SERVER_BUSY = new Set([408, 429, 500, 502, 503, 504]);
/** Answers 400 to what was cut or changed on the way. */
const CUT = new Set(['BadDigest', 'IncompleteBody', 'RequestTimeout', 'XAmzContentSHA256Mismatch']);

const XML = new XMLParser({
  parseTagValue: false,
  isArray: (name) => name === 'Contents',
});

/** What a refusal means, and what helps; `missing` where there is no such object. */
export function problemOf(status: number, text: string, place: string): Error | 'missing' {
  const { Code: code = `HTTP ${status}`, Message: message = '' } = errorIn(text);
  const detail = message === '' ? code : `${code}, ${message.replace(/\.$/, '')}`;
  if (SERVER_BUSY.has(status) || CUT.has(code)) return new StorageAwayError(place, detail);
  if (code === 'NoSuchBucket') {
    const remedy = 'create the bucket, or correct the bucket in LAKE_URL';
    return new StorageRefusedError(place, detail, remedy);
  }
  if (status === 404) return 'missing';
  if (code === 'RequestTimeTooSkewed') {
    return new StorageRefusedError(place, detail, 'set the clock of this machine');
  }
  if (status === 401 || status === 403) {
    const remedy =
      'check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and S3_REGION, and that the key may list, read, write and delete there';
    return new StorageRefusedError(place, detail, remedy);
  }
  const remedy = 'check S3_ENDPOINT, S3_REGION and LAKE_URL';
  return new StorageRefusedError(place, detail, remedy);
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
  ListBucketResult?: {
    Contents?: { Key: string; Size: string; LastModified: string }[];
    NextContinuationToken?: string;
  };
};

/** The objects of a page of a list, their names without the first letters, and what asks for the next page. */
export function listingOf(text: string, skip: number): { objects: StoredObject[]; next?: string } {
  const { ListBucketResult: result } = XML.parse(text) as Listed;
  const { Contents: contents = [], NextContinuationToken: next } = result ?? {};
  const objects = contents.map(({ Key, Size, LastModified }) => ({
    name: Key.slice(skip),
    bytes: Number(Size),
    at: new Date(LastModified),
  }));
  return { objects, ...(next !== undefined && next !== '' && { next }) };
}
