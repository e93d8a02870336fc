/**
 * `npm run bench -- ingest nightly`: runs the named parts, or all, and prints their results. With `--against <commit or
 * folder>` it instead compares the API of this version with the API of another version.
 */
import { parseArgs } from 'node:util';
import { benchAgainst } from './against.ts';
import { benchIngestAgainst } from './against/ingest.ts';
import { benchNightlyAgainst } from './against/nightly.ts';
import { benchApi } from './api.ts';
import { benchDisk } from './disk.ts';
import { benchGrowth } from './growth.ts';
import { benchIncludes } from './includes.ts';
import { benchIngest } from './ingest.ts';
import { benchLive } from './live.ts';
import { benchMetrics } from './metrics.ts';
import { benchModel } from './model.ts';
import { benchNightly } from './nightly.ts';
import { benchStore } from './store.ts';
import { benchTrain } from './train.ts';
import { benchTrips } from './trips.ts';
import { benchVisitors } from './visitors.ts';
import { benchWatches } from './watches.ts';
import { report, type BenchResult } from './report.ts';

const PARTS: Record<string, (log: (line: string) => void) => Promise<BenchResult>> = {
  ingest: benchIngest,
  nightly: benchNightly,
  train: benchTrain,
  model: benchModel,
  trips: benchTrips,
  api: benchApi,
  store: benchStore,
  disk: benchDisk,
  live: benchLive,
  metrics: benchMetrics,
  growth: benchGrowth,
  includes: benchIncludes,
  visitors: benchVisitors,
  watches: benchWatches,
};

/** The parts that can compare this version with another version. */
const PARTS_AGAINST: Record<
  string,
  (place: string, log: (line: string) => void) => Promise<BenchResult>
> = { api: benchAgainst, ingest: benchIngestAgainst, nightly: benchNightlyAgainst };

const { positionals: partNames, values } = parseArgs({
  options: { against: { type: 'string' } },
  allowPositionals: true,
});
const unknown = partNames.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(
    `unknown part: ${unknown.join(', ')}; the parts are ${Object.keys(PARTS).join(', ')}`,
  );
  process.exit(2);
}

const { against } = values;
const parts =
  against === undefined
    ? Object.entries(PARTS)
    : Object.entries(PARTS_AGAINST).map(
        ([name, run]) => [name, (log: (line: string) => void) => run(against, log)] as const,
      );
for (const [name, run] of parts) {
  if (partNames.length === 0 || partNames.includes(name)) {
    const result = await run((line) => console.error(`${name}: ${line}`));
    console.log(`written to ${await report(result, process.stdout)}`);
  }
}
