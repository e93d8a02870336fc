import { SourceRefusedError } from './errors.ts';

/** More than a few is a loop. */
export const MAX_REDIRECTS = 5;

/** Whether an answer of this status with a `Location` leads elsewhere. */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** The address, if it is one of http or https; else throws `SourceRefusedError` about `asked`, which led there. */
export function httpUrl(text: string, asked: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const where = url === null ? 'no address' : `a ${url.protocol} address`;
  throw new SourceRefusedError(asked, `leads to ${where}; only http(s) is fetched`);
}

/** The error of a chain of redirects that does not end. */
export function tooManyRedirects(asked: string): SourceRefusedError {
  return new SourceRefusedError(asked, `redirects more than ${MAX_REDIRECTS} times`);
}
