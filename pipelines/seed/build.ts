import path from 'node:path';
import type { ExtractReport } from '../flights/types.ts';
import type { SourceRef } from '../../warehouse/lake/lake.ts';
import type { Progress } from '../../warehouse/progress.ts';

/** The files the seed is computed from, by what each is for; described in docs/data-sources.md. */
export const SEED_SOURCES = {
  carriers2018: 'us_2018_16carriers_bymonth.parquet',
  airports2018: 'us_2018_300airports_bymonth.parquet',
  calendar: ['nyc_2017.parquet', 'pnw_2023_01-10.parquet'],
} as const;

export type SeedDeps = {
  /** A new, empty folder that is removed afterwards. */
  withTempDir: <T>(work: (dir: string) => Promise<T>) => Promise<T>;
  writeFlights2018: (files: {
    carriers: string;
    airports: string;
    flights: string;
  }) => Promise<void>;
  /** Extracts a file into a lake of its own. */
  extractInto: (
    lakeDir: string,
    request: { path: string; year?: number },
    progress: Progress,
  ) => Promise<ExtractReport>;
  writeSeedFile: (
    lakeDir: string,
    kind: 'routeHours' | 'airportDays',
    file: string,
  ) => Promise<number>;
  sourceRef: (file: string) => Promise<Omit<SourceRef, 'form'>>;
  writeJson: (file: string, content: unknown) => Promise<void>;
  codeVersion: string;
};

export type Provenance = {
  sources: Omit<SourceRef, 'form'>[];
  flights: { read: number; loaded: number; rejected: number };
  files: Record<string, { rows: number; what: string }>;
  codeVersion: string;
  command: string;
};

/**
 * Computes the seed from the files in `sourceDir` into `seedDir`, through the same extraction as any ingest:
 * aggregates of 2018 for routes, and days of New York 2017 and Seattle-Portland 2023 for weekdays and holidays.
 */
export async function buildSeed(
  { sourceDir, seedDir }: { sourceDir: string; seedDir: string },
  deps: SeedDeps,
  progress: Progress,
): Promise<Provenance> {
  const source = (name: string) => path.join(sourceDir, name);
  const carriers = source(SEED_SOURCES.carriers2018);
  const airports = source(SEED_SOURCES.airports2018);
  const calendar = SEED_SOURCES.calendar.map(source);
  return deps.withTempDir(async (dir) => {
    const flights = path.join(dir, 'us_2018.parquet');
    await deps.writeFlights2018({ carriers, airports, flights });
    progress(1, 5, 'flights of 2018 joined');
    const routesLake = path.join(dir, 'routes');
    const report = await deps.extractInto(
      routesLake,
      { path: flights, year: 2018 },
      () => undefined,
    );
    progress(2, 5, 'flights of 2018 extracted');
    const calendarLake = path.join(dir, 'calendar');
    for (const file of calendar) {
      await deps.extractInto(calendarLake, { path: file }, () => undefined);
    }
    progress(3, 5, 'calendar extracted');
    const routeHours = await deps.writeSeedFile(
      routesLake,
      'routeHours',
      path.join(seedDir, 'route_hours.parquet'),
    );
    progress(4, 5, 'route_hours.parquet');
    const airportDays = await deps.writeSeedFile(
      calendarLake,
      'airportDays',
      path.join(seedDir, 'airport_days.parquet'),
    );
    progress(5, 5, 'airport_days.parquet');
    const provenance: Provenance = {
      sources: await Promise.all([carriers, airports, ...calendar].map(deps.sourceRef)),
      flights: { read: report.rowsRead, loaded: report.rowsLoaded, rejected: report.rowsRejected },
      files: {
        'route_hours.parquet': {
          rows: routeHours,
          what: 'flights of 2018 by route, carrier and hour',
        },
        'airport_days.parquet': { rows: airportDays, what: 'days of NYC 2017 and SEA/PDX 2023' },
      },
      codeVersion: deps.codeVersion,
      command: 'make seed SOURCE=<folder of the sources>',
    };
    await deps.writeJson(path.join(seedDir, 'provenance.json'), provenance);
    return provenance;
  });
}
