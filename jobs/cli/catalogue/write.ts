/** `npm run docs:catalogue`: writes docs/catalogue.md, its picture docs/lineage.svg, and docs/sources.md. */
import { writeFile } from 'node:fs/promises';
import { buildCatalogue } from './page.ts';
import { NO_USER_SQL } from '../../../warehouse/build/user-sql.ts';
import { buildLineage } from './lineage-graph.ts';
import { lineageSvg } from './lineage-svg.ts';
import { sourcesPage } from './sources-page.ts';

await writeFile(new URL('../../../docs/sources.md', import.meta.url), sourcesPage());
await writeFile(new URL('../../../docs/catalogue.md', import.meta.url), await buildCatalogue());
await writeFile(
  new URL('../../../docs/lineage.svg', import.meta.url),
  lineageSvg(buildLineage(NO_USER_SQL)),
);
