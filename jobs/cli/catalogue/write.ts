/** `npm run docs:catalogue`: writes docs/catalogue.md and docs/sources.md. */
import { writeFile } from 'node:fs/promises';
import { buildCatalogue } from './build.ts';
import { sourcesPage } from './sources-page.ts';

await writeFile(new URL('../../../docs/sources.md', import.meta.url), sourcesPage());
await writeFile(new URL('../../../docs/catalogue.md', import.meta.url), await buildCatalogue());
