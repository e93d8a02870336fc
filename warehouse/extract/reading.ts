import { SourceFormatError } from '../../pipelines/errors.ts';

/** How DuckDB begins to say that the machine failed, not the file: running again can help. */
const OUTAGE = /^(Out of Memory|IO|Interrupt|Fatal|Internal) Error/i;

/** Does work that reads the source; what DuckDB cannot read is a SourceFormatError, outages stay what they are. */
export async function reading<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && !OUTAGE.test(error.message)) {
      const [what] = error.message.split('\n');
      throw new SourceFormatError(name, `cannot be read: ${what}`, { cause: error });
    }
    throw error;
  }
}
