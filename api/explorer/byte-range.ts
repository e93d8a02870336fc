/** A part of a file: the bytes `[from, until)`. */
export type ByteRange = { from: number; until: number };

/**
 * Reads the `Range` header of a request for a file of this size (RFC 9110, section 14). Returns undefined if the whole
 * file must be sent: if there is no range, if there are several ranges, or if the header cannot be read.
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
