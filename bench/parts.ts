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
import type { BenchResult } from './report.ts';

type Log = (line: string) => void;
type Run = (log: Log) => Promise<BenchResult>;

const PARTS: Record<string, Run> = {
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
const PARTS_AGAINST: Record<string, (place: string, log: Log) => Promise<BenchResult>> = {
  api: benchAgainst,
  ingest: benchIngestAgainst,
  nightly: benchNightlyAgainst,
};

/**
 * Returns the named parts, or all parts if none is named. If `against` is a commit or a folder, the parts compare this
 * version with the version there. Throws an error for an unknown name, and for a part that cannot compare versions.
 */
export function chooseParts(names: readonly string[], against?: string): [string, Run][] {
  const parts: [string, Run][] =
    against === undefined
      ? Object.entries(PARTS)
      : Object.entries(PARTS_AGAINST).map(([name, run]) => [name, (log) => run(against, log)]);
  const known = parts.map(([name]) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const which = against === undefined ? 'parts' : 'parts that compare versions';
    throw new Error(`unknown part: ${unknown.join(', ')}; the ${which} are ${known.join(', ')}`);
  }
  return parts.filter(([name]) => names.length === 0 || names.includes(name));
}
