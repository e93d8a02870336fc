import path from 'node:path';

/** A folder or file of the public data the tests read; data-sources.md says what it is. */
export function sharedData(...parts: string[]): string {
  return path.join(import.meta.dirname, '../../../shared/data', ...parts);
}
