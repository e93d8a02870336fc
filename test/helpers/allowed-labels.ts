import type { Sample } from './scrape.ts';

/** Allowed labels. Each label has few values, even with many keys, flights and places. */
const LABELS = new Set([
  'condition',
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

/** Whether a series has only allowed labels, and contains neither a key nor a route. */
export function hasAllowedLabels({ name, labels }: Sample): boolean {
  const values = Object.values(labels).join(' ');
  return (
    name.startsWith('headwind_') &&
    Object.keys(labels).every((label) => LABELS.has(label)) &&
    !/hw_(?:live|test)_|\b[A-Z]{3}-[A-Z]{3}\b/.test(values)
  );
}
