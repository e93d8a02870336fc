/** A stream step that shows each chunk to `see` and hands it on. */
export function tap(see: (chunk: Buffer) => void) {
  return async function* seen(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      see(chunk);
      yield chunk;
    }
  };
}
