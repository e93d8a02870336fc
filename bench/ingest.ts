import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { round } from '../warehouse/ground/round.ts';
import { btsCsvName, writeBtsMonth } from './generate/bts-month.ts';
import { btsFileName } from '../pipelines/flights/months.ts';
import { runMeasured, type Measurement } from './measured.ts';
import { median, type BenchResult } from './report.ts';

const MONTH = '2025-03';
const ROWS = 600_000;
const ROUNDS = 5;

/** The columns that the lake keeps, under BTS's names. */
const KEPT_COLUMNS = [
  'FlightDate',
  'IATA_CODE_Reporting_Airline',
  'Flight_Number_Reporting_Airline',
  'Tail_Number',
  'Origin',
  'Dest',
  'CRSDepTime',
  'CRSArrTime',
  'DepTime',
  'ArrTime',
  'DepDelay',
  'ArrDelay',
  'Cancelled',
  'CancellationCode',
  'Diverted',
  'Distance',
];

const BARE = 'bare DuckDB, CSV, all columns';
const ZIP = 'extract, zip';
const CSV = 'extract, plain CSV';

/**
 * Extracts a busy BTS month, zipped and plain, beside bare DuckDB turning the same CSV into Parquet. Each is measured
 * once a round, in a process of its own, so that a busy moment of the machine touches all of them.
 */
export async function benchIngest(log: (line: string) => void): Promise<BenchResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  try {
    const csv = path.join(folder, btsCsvName(MONTH));
    const zip = path.join(folder, btsFileName(MONTH));
    log(`making a month of ${ROWS} flights`);
    const { csvBytes } = await writeBtsMonth(csv, { month: MONTH, rows: ROWS });
    const { bytes } = await writeBtsMonth(zip, { month: MONTH, rows: ROWS });
    const out = path.join(folder, 'bare.parquet');
    const contenders: Record<string, () => Promise<Measurement>> = {
      [BARE]: () => runMeasured('run-bare.ts', [csv, out]),
      'bare DuckDB, CSV, the columns we keep': () =>
        runMeasured('run-bare.ts', [csv, out, ...KEPT_COLUMNS]),
      [CSV]: () => extracted(csv, folder),
      [ZIP]: () => extracted(zip, folder),
    };
    const found = await rounds(contenders, log);
    const size = `${Math.round(csvBytes / 1e6)} MB as CSV, ${Math.round(bytes / 1e6)} MB as zip`;
    return resultOf(found, `${ROWS} flights, 109 columns, ${size}; median of ${ROUNDS} rounds`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Extracts into a lake that is empty, for one that holds the month would be left as it is. */
async function extracted(file: string, folder: string): Promise<Measurement> {
  const lakeDir = await mkdtemp(path.join(folder, 'lake-'));
  try {
    return await runMeasured('run-extract.ts', [file, lakeDir]);
  } finally {
    await rm(lakeDir, { recursive: true });
  }
}

async function rounds(
  contenders: Record<string, () => Promise<Measurement>>,
  log: (line: string) => void,
): Promise<Map<string, Measurement[]>> {
  const found = new Map<string, Measurement[]>(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 1; round <= ROUNDS; round++) {
    log(`round ${round} of ${ROUNDS}`);
    for (const [name, run] of Object.entries(contenders)) {
      found.get(name)?.push(await run());
    }
  }
  return found;
}

function resultOf(found: Map<string, Measurement[]>, subject: string): BenchResult {
  const seconds = (name: string) => (found.get(name) ?? []).map((one) => one.seconds);
  // Within a round the two shared the machine; their ratio says more than that of two medians.
  const ratio = (name: string) =>
    round(median(seconds(name).map((one, i) => one / (seconds(BARE)[i] ?? Number.NaN))), 2);
  const peak = (name: string) =>
    Math.round(Math.max(...(found.get(name) ?? []).map(({ peakMb }) => peakMb)));
  return {
    part: 'ingest',
    subject,
    rows: [...found.keys()].map((name) => ({
      what: name,
      'seconds (median)': round(median(seconds(name)), 2),
      'seconds (best)': round(Math.min(...seconds(name)), 2),
      'times bare': ratio(name),
      'peak MB': peak(name),
    })),
    targets: [ZIP, CSV].flatMap((name) => [
      { name: `${name}: time`, measured: ratio(name), atMost: 2, unit: 'x bare DuckDB' },
      { name: `${name}: peak memory`, measured: peak(name), atMost: 1500, unit: 'MB' },
    ]),
  };
}
