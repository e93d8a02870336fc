import { brotliCompressSync, constants as zlib, gzipSync } from 'node:zlib';
import type { Coding } from '../middleware/compressed.ts';

/** Quick enough to be done for each visitor. */
const EFFORT = 4;

/** On the thread that asks: those zlib has for itself are as important as the one that answers calls. */
export function packNow(body: string | Uint8Array, coding: Coding): Buffer {
  if (coding === 'gzip') return gzipSync(body, { level: EFFORT });
  return brotliCompressSync(body, { params: { [zlib.BROTLI_PARAM_QUALITY]: EFFORT } });
}
