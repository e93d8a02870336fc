import { absenceReason } from '../flights/http-answer.ts';
import { refuseOtherStatus } from '../flights/download.ts';
import type { Month } from '../flights/months.ts';
import type { HttpGet } from '../http-get.ts';
import { SourceRefusedError } from '../errors.ts';

/** A file that a provider publishes. */
export type Release = {
  /** A year such as `2019`, or a month such as `2019-03`. */
  period: string;
  url: string;
};

/** Returns the name of the file of a release in the folder of downloads. */
export function releaseFileName(provider: string, { period }: Pick<Release, 'period'>): string {
  return `${provider}-${period}.csv`;
}

/** The place where a provider publishes its files, and the way to find them there. */
export type ReleaseIndex = {
  /** Address of the files or of their pages. A mirror may have another address. */
  address: string;
  /**
   * Whether a page links to the files, so that every listed file exists. Otherwise, the addresses follow a pattern, and
   * a listed file may not be published yet.
   */
  isLinked?: true;
  /** Lists the files of these months. Throws `SourceFormatError` if a page does not have the known layout. */
  list: (
    months: readonly Month[],
    source: { address: string; readPage: PageReader },
  ) => Promise<Release[]>;
};

/** Returns the text of a page; undefined if the server does not have the page. */
export type PageReader = (url: string) => Promise<string | undefined>;

/** Maximum size of a page. A page with links to files has some 100 kB. */
const MAX_PAGE_BYTES = 5_000_000;

/** Creates the function that reads pages of a provider. */
export function createPageReader(get: HttpGet): PageReader {
  return async (url) => {
    const response = await get({ url, method: 'GET', headers: {} });
    try {
      if (absenceReason({ ...response, headers: new Headers() }) !== undefined) return undefined;
      refuseOtherStatus(url, response);
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of response.body) {
        bytes += chunk.length;
        if (bytes > MAX_PAGE_BYTES) throw new SourceRefusedError(url, 'is too big for a page');
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString('utf8');
    } finally {
      await response.cancel().catch(() => undefined);
    }
  };
}

/** Lists the links of a page with their texts. Removes tags and repeated spaces from the texts. */
export function linksIn(html: string, pageUrl: string): { url: string; text: string }[] {
  const anchors = html.matchAll(/<a\b[^>]*\bhref\s*=\s*["']([^"']+)["'][^>]*>([\s\S]*?)<\/a>/gi);
  return Array.from(anchors, ([, href = '', content = '']) => ({
    url: new URL(href.replaceAll('&amp;', '&'), pageUrl).href,
    text: content
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll('&nbsp;', ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  }));
}
