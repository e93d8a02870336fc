import { SourceFormatError } from '../errors.ts';

/** Matches DuckDB errors that mean that the machine failed, not the file. A retry can help after such an error. */
const OUTAGE = /^(Out of Memory|IO|Interrupt|Fatal|Internal) Error/i;

/**
 * Runs `work`, which reads the source. Turns DuckDB read errors into `SourceFormatError`; outages pass through
 * unchanged.
 */
export async function wrapReadErrors<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceFormatError) throw error;
    if (error instanceof Error && !OUTAGE.test(error.message)) {
      const [reason] = error.message.split('\n');
      throw new SourceFormatError(name, `cannot be read: ${reason}`, { cause: error });
    }
    throw error;
  }
}
