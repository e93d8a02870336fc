/** A part of a file: the bytes `[from, until)`. */
export type ByteRange = { from: number; until: number };

/**
 * Reads the header `Range` of a request for a file of this size (RFC 9110, section 14). Undefined means the whole file:
 * for no range, for several ranges and for a header that cannot be read.
 */
export function byteRange(header: string, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header.trim());
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') {
    if (last === '') return undefined;
    const from = Math.max(0, bytes - Number(last));
    return from < bytes ? { from, until: bytes } : 'unsatisfiable';
  }
  const from = Number(first);
  if (last !== '' && Number(last) < from) return undefined;
  if (from >= bytes) return 'unsatisfiable';
  return { from, until: last === '' ? bytes : Math.min(bytes, Number(last) + 1) };
}
