/** `node extract-child.ts FILE LAKE VERSION`: extracts a file in a separate process, for tests that kill it. */
import { extractFile } from '../../pipelines/flights/ingest.ts';
import { createExtractDeps } from '../../warehouse/extract/extract.ts';

const [path = '', lakeDir = '', codeVersion = ''] = process.argv.slice(2);

await extractFile({ path }, createExtractDeps({ lakeDir, codeVersion }), (done, total, what) => {
  console.log(`${done}/${total} ${what}`);
});
