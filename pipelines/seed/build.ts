import path from 'node:path';
import type { SourceRef } from '../../warehouse/lake/lake.ts';
import type { Progress } from '../../warehouse/progress.ts';
import type { SeedKind } from '../../warehouse/seed/write.ts';
import type { ExtractReport } from '../flights/types.ts';
import {
  CALENDAR_PARTS,
  LEVELS_PART,
  PROVIDER_PARTS,
  ROUTE_PARTS,
  type SeedPart,
} from './parts.ts';

export type SeedDeps = {
  /** A new, empty folder that is removed afterwards. */
  withTempDir: <T>(work: (dir: string) => Promise<T>) => Promise<T>;
  /** Returns the path of the source with this name. */
  findSource: (name: string) => Promise<string>;
  /** Runs a query of `sql/seed`. The query selects flights of `sources` and writes them to the file `flights`. */
  takeFlights: (query: string, sources: Record<string, string>, flights: string) => Promise<void>;
  /** Extracts a file into a separate lake. Later steps use only the aggregates of this `kind`. */
  extractInto: (
    lakeDir: string,
    kind: SeedKind,
    request: { path: string; year?: number },
  ) => Promise<ExtractReport>;
  /** Combines one kind of aggregate, from all months in all lakes, into one file; returns the file's number of rows. */
  writeSeedFile: (
    lakes: string[],
    kind: SeedKind,
    file: string,
    provider?: string,
  ) => Promise<number>;
  sourceRef: (file: string) => Promise<Omit<SourceRef, 'form'>>;
  writeJson: (file: string, content: unknown) => Promise<void>;
  codeVersion: string;
};

/** The part of a source that the seed uses, with its numbers of rows. */
export type TakenSource = {
  sources: string[];
  what: string;
  read: number;
  loaded: number;
  rejected: number;
};

export type Provenance = {
  sources: Omit<SourceRef, 'form'>[];
  taken: TakenSource[];
  files: Record<string, { rows: number; what: string }>;
  codeVersion: string;
  command: string;
};

/** The files of the seed with their contents, and the parts from which the files are computed. */
const SEED_FILES: {
  name: string;
  kind: SeedKind;
  what: string;
  parts: SeedPart[];
  provider?: string;
}[] = [
  {
    name: 'route_hours.parquet',
    kind: 'routeHours',
    what: 'flights by month, route, carrier and hour',
    parts: ROUTE_PARTS,
  },
  {
    name: 'delay_causes.parquet',
    kind: 'delayCauses',
    what: 'flights by month, carrier and airport of arrival',
    parts: [LEVELS_PART],
  },
  {
    name: 'airport_days.parquet',
    kind: 'airportDays',
    what: 'flights by day and airport of departure',
    parts: CALENDAR_PARTS,
  },
  ...Object.entries(PROVIDER_PARTS).map(([provider, parts]) => ({
    name: `${provider}.parquet`,
    kind: 'routeHours' as const,
    what: `flights of the provider ${provider} by month, route, carrier and hour`,
    parts,
    provider,
  })),
  {
    name: 'flight_numbers.parquet',
    kind: 'flightNumbers',
    what: 'flight numbers with their legs, operating airlines and usual times',
    parts: PROVIDER_PARTS['hkia'] ?? [],
    provider: 'hkia',
  },
];

/** A month of a source was refused, so the seed would differ from its description. */
class SeedSourceError extends Error {
  readonly isFinal = true;
  override readonly name = 'SeedSourceError';
}

/**
 * Computes the seed from its sources and writes it to `seedDir`. Uses the same extraction as every ingest. The same
 * sources give the same bytes. Throws `SeedSourceError`.
 */
export async function buildSeed(
  seedDir: string,
  deps: SeedDeps,
  progress: Progress,
): Promise<Provenance> {
  const parts = SEED_FILES.flatMap((file) => file.parts);
  let done = 0;
  const reportProgress = (what: string) =>
    progress((done += 1), parts.length + SEED_FILES.length, what);
  return deps.withTempDir(async (dir) => {
    const taken: TakenSource[] = [];
    const files: Provenance['files'] = {};
    for (const { name, kind, what, parts: own, provider } of SEED_FILES) {
      const lakes: string[] = [];
      for (const [at, part] of own.entries()) {
        const lake = path.join(dir, `${name}-${at}`);
        const source = await extractPart(part, { lake, kind }, deps);
        // Two files may be computed from the same part.
        if (taken.every((one) => one.what !== source.what)) taken.push(source);
        lakes.push(lake);
        reportProgress(part.what);
      }
      files[name] = {
        rows: await deps.writeSeedFile(lakes, kind, path.join(seedDir, name), provider),
        what,
      };
      reportProgress(name);
    }
    const names = new Set(parts.flatMap(({ sources }) => Object.values(sources)));
    const sources = await Promise.all(
      [...names].map(async (name) => deps.sourceRef(await deps.findSource(name))),
    );
    const command = 'make seed SOURCE=<folder of the sources>';
    const provenance = { sources, taken, files, codeVersion: deps.codeVersion, command };
    await deps.writeJson(path.join(seedDir, 'provenance.json'), provenance);
    return provenance;
  });
}

/** Extracts a part of the sources into a separate lake. */
async function extractPart(
  part: SeedPart,
  { lake, kind }: { lake: string; kind: SeedKind },
  deps: SeedDeps,
): Promise<TakenSource> {
  const { sources, query, year, what } = part;
  const names = Object.values(sources);
  const files = await Promise.all(
    Object.entries(sources).map(async ([key, name]) => [key, await deps.findSource(name)] as const),
  );
  let file = files[0]?.[1] ?? '';
  if (query !== undefined) {
    file = `${lake}.parquet`;
    await deps.takeFlights(query, Object.fromEntries(files), file);
  }
  const request = { path: file, ...(year !== undefined && { year }) };
  const report = await deps.extractInto(lake, kind, request);
  const { rowsRead: read, rowsLoaded: loaded, rowsRejected: rejected, months } = report;
  const refused = months.filter(({ outcome }) => outcome === 'refused').map(({ month }) => month);
  if (refused.length === 0) return { sources: names, what, read, loaded, rejected };
  throw new SeedSourceError(`${names.join(', ')}: ${refused.join(', ')} refused`);
}
