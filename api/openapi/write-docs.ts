/** `npm run docs:api`: writes the tables of docs/api.md anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withTables } from './tables.ts';

const PAGE = new URL('../../docs/api.md', import.meta.url);

writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8')));
