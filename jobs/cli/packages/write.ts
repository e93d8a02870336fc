/** `npm run docs:packages`: writes docs/packages.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { packagesPage } from './page.ts';
import type { Lock } from './packages.ts';

const root = new URL('../../../', import.meta.url);
const lock = JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8')) as Lock;
await writeFile(new URL('docs/packages.md', root), packagesPage(lock));
