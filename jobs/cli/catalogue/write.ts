/** `npm run docs:catalogue`: writes docs/catalogue.md anew. */
import { writeFile } from 'node:fs/promises';
import { madeCatalogue } from './made.ts';

await writeFile(new URL('../../../docs/catalogue.md', import.meta.url), await madeCatalogue());
