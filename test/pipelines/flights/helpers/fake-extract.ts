import type { ExtractDeps, SourceFile } from '../../../../warehouse/extract/extract-deps.ts';
import type { StagedMonth } from '../../../../warehouse/extract/staged-month.ts';
import { FLIGHT_FORMS } from '../../../../pipelines/providers/index.ts';
import type { MonthManifest } from '../../../../warehouse/lake/lake.ts';
import { aComparison } from './comparison.ts';

const NYCFLIGHTS = FLIGHT_FORMS.find(({ name }) => name === 'nycflights')!.required;
export const BY_MONTH = FLIGHT_FORMS.find(({ name }) => name === 'by_month_carriers')!.required;

function aSource(changes: Partial<SourceFile> = {}): SourceFile {
  return {
    path: '/flights.csv',
    name: 'flights.csv',
    bytes: 100,
    sha256: 'abc',
    container: 'csv',
    header: [...NYCFLIGHTS],
    rowCount: 0,
    delimiter: ',',
    prologueLines: 0,
    blankLines: [],
    close: async () => undefined,
    ...changes,
  };
}

type World = {
  /** `flights` defaults to the number of good rows. */
  months?: (Omit<StagedMonth, 'flights'> & { flights?: number })[];
  undatedRejects?: Record<string, number>;
  /** Months of the lake from the same source. */
  extracted?: MonthManifest[];
  /** Flights in the lake, by month. */
  lakeFlights?: Record<string, number>;
  source?: Partial<SourceFile>;
  /** Replaces the write of a month; the call is recorded when it is done. */
  write?: (month: string) => Promise<void>;
  /** Content of the checksum file. */
  checksum?: string;
};

/** Fakes the dependencies of an extract and records their calls. */
export function fakeDeps(world: World) {
  const { months = [], undatedRejects = {}, extracted = [], lakeFlights = {}, source = {} } = world;
  const calls: string[] = [];
  const count = (counts: Record<string, number>) =>
    Object.values(counts).reduce((all, one) => all + one, 0);
  const rowCount = months.reduce((all, { rowsRead }) => all + rowsRead, count(undatedRejects));
  const deps: ExtractDeps = {
    inspect: async () => aSource({ rowCount, ...source }),
    checksumBeside: async () => world.checksum,
    findExtracted: async () => extracted,
    stageParts: () => Promise.reject(new Error('this test has no parts')),
    stage: async (_file, form, year) => {
      calls.push(`stage ${form.name} ${year ?? ''}`.trim());
      return {
        months: months.map((month) => ({
          flights: month.rowsRead - count(month.rejects),
          ...month,
        })),
        undatedRejects,
        compare: async ({ month, flights }) => {
          const current = lakeFlights[month];
          return current === undefined ? undefined : aComparison({ flights: current }, { flights });
        },
        withMonthLock: (_month, work) => work(),
        readCurrentSource: async () => undefined,
        writeMonth: async ({ month }) => {
          if (world.write) await world.write(month);
          calls.push(`write ${month}`);
        },
        quarantine: async (month) => {
          calls.push(`quarantine ${month ?? 'undated'}`);
          return 'rejects.parquet';
        },
        isDropped: async () => false,
        close: async () => void calls.push('close'),
      };
    },
  };
  return { calls, deps };
}
