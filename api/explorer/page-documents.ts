import type { PublicDocument } from '../routes/public-document.ts';
import { createMemo } from '../scoring/memo.ts';
import type { FileAddresses } from './document.ts';
import { asBuffer, drawPage } from './drawing-thread.ts';
import type { Frame, Page } from './views/page.ts';

/** Bytes of drawn pages that are kept: some hundred flights. */
const KEPT_BYTES = 8_000_000;

type Asked = { page: Page; data: PublicDocument; frame: Frame; files: FileAddresses };

/** Pages as documents: drawn once for the same data, address, site and language, and packed once. */
export function createPageDocuments(): (asked: Asked) => Promise<PublicDocument> {
  const memo = createMemo<PublicDocument>(KEPT_BYTES, ({ body }) => body.length);
  return ({ page: { path }, data, frame, files }) =>
    // The tag stands for the data, which change with the store and with what is known of weather and news.
    memo(JSON.stringify([path, data.etag, frame]), async () => {
      const { script, theme, style, fonts } = files;
      const addresses = { script, theme, style, fonts };
      const drawn = await drawPage({ path, json: String(data.body), frame, files: addresses });
      const { body, etag } = drawn;
      return { type: 'text/html; charset=utf-8', body: asBuffer(body), etag, packed: new Map() };
    });
}
