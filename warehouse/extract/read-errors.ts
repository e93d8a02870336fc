import { SourceFormatError } from '../errors.ts';

/** Matches DuckDB errors that mean that the machine failed, not the file. A retry can help after such an error. */
const OUTAGE = /^(Out of Memory|IO|Interrupt|Fatal|Internal) Error/i;

/**
 * Runs `work`, which reads the source. Turns DuckDB read errors into `SourceFormatError`; outages pass through
 * unchanged. If `work` runs SQL that a provider's developer wrote, `sql` is the name of this SQL for the error message.
 */
export async function wrapReadErrors<T>(
  name: string,
  work: () => Promise<T>,
  sql?: string,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceFormatError) throw error;
    if (error instanceof Error && !OUTAGE.test(error.message)) {
      const reader = sql === undefined ? '' : ` with ${sql}`;
      throw new SourceFormatError(name, `cannot be read${reader}: ${reasonOf(error)}`, {
        cause: error,
      });
    }
    throw error;
  }
}

/** Returns the first line of DuckDB's message, and the line of the SQL that the message points to. */
function reasonOf({ message }: Error): string {
  const [reason = ''] = message.split('\n');
  const place = /^LINE (\d+): (.*)$/m.exec(message);
  return place ? `${reason} (line ${place[1]}: ${place[2]?.trim()})` : reason;
}
