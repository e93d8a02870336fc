/**
 * `npm run bench -- ingest nightly`: runs the named parts, or all parts, and prints their results. With `--against
 * <commit or folder>`, compares this version with another version instead. Only the parts `api`, `ingest` and `nightly`
 * can compare versions.
 */
import { parseArgs } from 'node:util';
import { chooseParts } from './parts.ts';
import { report } from './report.ts';

const { positionals: partNames, values } = parseArgs({
  options: { against: { type: 'string' } },
  allowPositionals: true,
});

for (const [name, run] of choose()) {
  const result = await run((line) => console.error(`${name}: ${line}`));
  console.log(`written to ${await report(result, process.stdout)}`);
}

function choose() {
  try {
    return chooseParts(partNames, values.against);
  } catch (error) {
    console.error((error as Error).message);
    return process.exit(2);
  }
}
