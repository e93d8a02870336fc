/** `node run-extract.ts FILE LAKE`: extracts a flight file as a worker does, and prints time and memory. */
import { extractFile } from '../pipelines/flights/ingest.ts';
import { createExtractDeps } from '../warehouse/extract/extract.ts';
import { measure } from './measured.ts';

const [path = '', lakeDir = ''] = process.argv.slice(2);
const deps = createExtractDeps({ lakeDir, codeVersion: 'bench' });

await measure(async () => {
  await extractFile({ path }, deps, () => undefined);
});
