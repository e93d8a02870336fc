/** `npm run docs:api`: regenerates the tables and snippets in docs/. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withTables } from './tables.ts';

for (const name of ['api.md', 'clients.md']) {
  const page = new URL(`../../docs/${name}`, import.meta.url);
  writeFileSync(page, withTables(readFileSync(page, 'utf8')));
}
