import type { PublicDocument } from '../routes/public-document.ts';
import { createAsyncCache } from '../scoring/async-cache.ts';
import type { FileAddresses } from './document.ts';
import { asBuffer, drawPage } from './drawing-thread.ts';
import type { Frame, Page } from './views/page.ts';

/** Maximum total size of cached pages in bytes, enough for a few hundred flights. */
const MAX_BYTES = 8_000_000;

type PageInput = { page: Page; data: PublicDocument; frame: Frame; files: FileAddresses };

/**
 * Returns a function that draws and compresses pages. Each combination of data, address, site and language is drawn
 * only once.
 */
export function createPageDocuments(): (input: PageInput) => Promise<PublicDocument> {
  const memo = createAsyncCache<PublicDocument>(MAX_BYTES, ({ body }) => body.length);
  return ({ page: { path }, data, frame, files }) =>
    // The ETag of the data also identifies the page. The ETag changes whenever a new store, new forecasts or news
    // change the data.
    memo(JSON.stringify([path, data.etag, frame]), async () => {
      const { script, theme, style, fonts } = files;
      const addresses = { script, theme, style, fonts };
      const drawn = await drawPage({ path, json: String(data.body), frame, files: addresses });
      const { body, etag } = drawn;
      return {
        type: 'text/html; charset=utf-8',
        body: asBuffer(body),
        etag,
        compressed: new Map(),
      };
    });
}
