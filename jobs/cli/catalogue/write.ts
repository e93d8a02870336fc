/** `npm run docs:catalogue`: writes docs/catalogue.md and docs/sources.md anew. */
import { writeFile } from 'node:fs/promises';
import { madeCatalogue } from './made.ts';
import { sourcesPage } from './sources-page.ts';

await writeFile(new URL('../../../docs/sources.md', import.meta.url), sourcesPage());
await writeFile(new URL('../../../docs/catalogue.md', import.meta.url), await madeCatalogue());
