import path from 'node:path';

/** Returns the path of a folder or file of the public data that tests read; see data-sources.md. */
export function sharedData(...parts: string[]): string {
  return path.join(import.meta.dirname, '../../../shared/data', ...parts);
}
