import path from 'node:path';
import type { SourceRef } from '../../warehouse/lake/lake.ts';
import type { Progress } from '../../warehouse/progress.ts';
import type { SeedKind } from '../../warehouse/seed/write.ts';
import type { ExtractReport } from '../flights/types.ts';
import { CALENDAR_PARTS, LEVELS_PART, ROUTE_PARTS, type SeedPart } from './parts.ts';

export type SeedDeps = {
  /** A new, empty folder that is removed afterwards. */
  withTempDir: <T>(work: (dir: string) => Promise<T>) => Promise<T>;
  /** Where a source of that name is. */
  findSource: (name: string) => Promise<string>;
  /** Runs a query of `sql/seed` that takes flights of its sources into `flights`. */
  takeFlights: (query: string, sources: Record<string, string>, flights: string) => Promise<void>;
  /** Extracts a file into a lake of its own, of which aggregates of that kind are read. */
  extractInto: (
    lakeDir: string,
    kind: SeedKind,
    request: { path: string; year?: number },
  ) => Promise<ExtractReport>;
  /** Joins one kind of aggregate of all months of the lakes into a file and returns its rows. */
  writeSeedFile: (lakes: string[], kind: SeedKind, file: string) => Promise<number>;
  sourceRef: (file: string) => Promise<Omit<SourceRef, 'form'>>;
  writeJson: (file: string, content: unknown) => Promise<void>;
  codeVersion: string;
};

/** What was taken of a source, and the rows of what was taken. */
export type Taken = {
  sources: string[];
  what: string;
  read: number;
  loaded: number;
  rejected: number;
};

export type Provenance = {
  sources: Omit<SourceRef, 'form'>[];
  taken: Taken[];
  files: Record<string, { rows: number; what: string }>;
  codeVersion: string;
  command: string;
};

/** The files of the seed, what is in each, and the parts it is computed from. */
const SEED_FILES: { name: string; kind: SeedKind; what: string; parts: SeedPart[] }[] = [
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
];

/** A source of the seed with a month that is refused: the seed would lack what is said to be in it. */
class SeedSourceError extends Error {
  readonly isFinal = true;
  override readonly name = 'SeedSourceError';
}

/**
 * Computes the seed from its sources into `seedDir`, through the same extraction as any ingest; the same sources give the
 * same bytes. Throws `SeedSourceError`.
 */
export async function buildSeed(
  seedDir: string,
  deps: SeedDeps,
  progress: Progress,
): Promise<Provenance> {
  const parts = SEED_FILES.flatMap((file) => file.parts);
  let done = 0;
  const tell = (what: string) => progress((done += 1), parts.length + SEED_FILES.length, what);
  return deps.withTempDir(async (dir) => {
    const taken: Taken[] = [];
    const files: Provenance['files'] = {};
    for (const { name, kind, what, parts: own } of SEED_FILES) {
      const lakes: string[] = [];
      for (const [at, part] of own.entries()) {
        const lake = path.join(dir, `${kind}-${at}`);
        taken.push(await take(part, { lake, kind }, deps));
        lakes.push(lake);
        tell(part.what);
      }
      files[name] = { rows: await deps.writeSeedFile(lakes, kind, path.join(seedDir, name)), what };
      tell(name);
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

/** Extracts what is taken of a part's sources into a lake of its own. */
async function take(
  part: SeedPart,
  { lake, kind }: { lake: string; kind: SeedKind },
  deps: SeedDeps,
): Promise<Taken> {
  const { sources, query, year, what } = part;
  const names = Object.values(sources);
  const found = await Promise.all(
    Object.entries(sources).map(async ([key, name]) => [key, await deps.findSource(name)] as const),
  );
  let file = found[0]?.[1] ?? '';
  if (query !== undefined) {
    file = `${lake}.parquet`;
    await deps.takeFlights(query, Object.fromEntries(found), file);
  }
  const request = { path: file, ...(year !== undefined && { year }) };
  const report = await deps.extractInto(lake, kind, request);
  const { rowsRead: read, rowsLoaded: loaded, rowsRejected: rejected, months } = report;
  const refused = months.filter(({ outcome }) => outcome === 'refused').map(({ month }) => month);
  if (refused.length === 0) return { sources: names, what, read, loaded, rejected };
  throw new SeedSourceError(`${names.join(', ')}: ${refused.join(', ')} refused`);
}
