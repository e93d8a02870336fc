import type { Sample } from './scrape.ts';

/** Labels there may be: each has few values, however many keys, flights and places there are. */
const LABELS = new Set([
  'endpoint',
  'input',
  'job_name',
  'le',
  'model',
  'node',
  'outcome',
  'queue',
  'schedule',
  'state',
  'status',
  'version',
  'worker',
]);

/** Whether a series has these labels only, and names neither a key nor a route. */
export function isFewLabels({ name, labels }: Sample): boolean {
  const values = Object.values(labels).join(' ');
  return (
    name.startsWith('headwind_') &&
    Object.keys(labels).every((label) => LABELS.has(label)) &&
    !/hw_(?:live|test)_|\b[A-Z]{3}-[A-Z]{3}\b/.test(values)
  );
}
