import type { ExtractDeps, SourceFile } from '../../../../pipelines/flights/extract-deps.ts';
import type { StagedMonth } from '../../../../pipelines/flights/types.ts';
import { FLIGHT_FORMS } from '../../../../pipelines/flights/forms.ts';
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
    blankLines: [],
    close: async () => undefined,
    ...changes,
  };
}

type World = {
  /** Flights default to the good rows. */
  months?: (Omit<StagedMonth, 'flights'> & { flights?: number })[];
  undatedRejects?: Record<string, number>;
  held?: MonthManifest[];
  /** Flights the lake holds, by month. */
  flightsHeld?: Record<string, number>;
  source?: Partial<SourceFile>;
  /** Writes a month instead, which is written down when it is done. */
  write?: (month: string) => Promise<void>;
  /** What stands in the file beside it. */
  checksum?: string;
};

/** Dependencies that write down what they are asked to do. */
export function fakeDeps(world: World) {
  const { months = [], undatedRejects = {}, held = [], flightsHeld = {}, source = {} } = world;
  const calls: string[] = [];
  const count = (counts: Record<string, number>) =>
    Object.values(counts).reduce((all, one) => all + one, 0);
  const rowCount = months.reduce((all, { rowsRead }) => all + rowsRead, count(undatedRejects));
  const deps: ExtractDeps = {
    inspect: async () => aSource({ rowCount, ...source }),
    checksumBeside: async () => world.checksum,
    extracted: async () => held,
    stageParts: () => Promise.reject(new Error('no parts here')),
    stage: async (_file, form, year) => {
      calls.push(`stage ${form.name} ${year ?? ''}`.trim());
      return {
        months: months.map((month) => ({
          flights: month.rowsRead - count(month.rejects),
          ...month,
        })),
        undatedRejects,
        compare: async ({ month, flights }) => {
          const held = flightsHeld[month];
          return held === undefined ? undefined : aComparison({ flights: held }, { flights });
        },
        alone: (_month, work) => work(),
        sourceHeld: async () => undefined,
        writeMonth: async ({ month }) => {
          if (world.write) await world.write(month);
          calls.push(`write ${month}`);
        },
        quarantine: async (month) => {
          calls.push(`quarantine ${month ?? 'undated'}`);
          return 'rejects.parquet';
        },
        close: async () => void calls.push('close'),
      };
    },
  };
  return { calls, deps };
}
