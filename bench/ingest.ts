import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { round } from '../warehouse/ground/numbers.ts';
import { btsCsvName, writeBtsMonth } from './generate/bts-month.ts';
import { btsFileName } from '../pipelines/flights/months.ts';
import { runMeasured, type Measurement } from './measured.ts';
import { median, type BenchResult } from './report.ts';

const MONTH = '2025-03';
const ROWS = 600_000;
const ROUNDS = 5;

/** BTS's names of the columns that the lake stores. */
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
 * Measures how long the extract of a busy BTS month takes, from a zip and from a plain CSV. For comparison, DuckDB
 * alone converts the same CSV to Parquet, once with all columns and once with only the columns that the lake stores.
 * Every round measures all four cases, each in a separate process, so that other work on the machine affects all
 * equally.
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
    const candidates: Record<string, () => Promise<Measurement>> = {
      [BARE]: () => runMeasured('run-bare.ts', [csv, out]),
      'bare DuckDB, CSV, only the 16 columns we keep': () =>
        runMeasured('run-bare.ts', [csv, out, ...KEPT_COLUMNS]),
      [CSV]: () => measureExtract(csv, folder),
      [ZIP]: () => measureExtract(zip, folder),
    };
    const measurements = await runRounds(candidates, log);
    const size = `${Math.round(csvBytes / 1e6)} MB as CSV, ${Math.round(bytes / 1e6)} MB as zip`;
    return buildResult(
      measurements,
      `${ROWS} flights, 109 columns, ${size}; median of ${ROUNDS} rounds`,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Measures the extract of `file` into a new, empty lake. The lake must be empty, because an extract changes nothing if
 * the lake already has the month. `script` is the program that extracts: `run-extract.ts` of this version, or the full
 * path of `run-extract.ts` in another version.
 */
export async function measureExtract(
  file: string,
  folder: string,
  script = 'run-extract.ts',
): Promise<Measurement> {
  const lakeDir = await mkdtemp(path.join(folder, 'lake-'));
  try {
    return await runMeasured(script, [file, lakeDir]);
  } finally {
    await rm(lakeDir, { recursive: true });
  }
}

async function runRounds(
  candidates: Record<string, () => Promise<Measurement>>,
  log: (line: string) => void,
): Promise<Map<string, Measurement[]>> {
  const measurements = new Map<string, Measurement[]>(
    Object.keys(candidates).map((name) => [name, []]),
  );
  for (let round = 1; round <= ROUNDS; round++) {
    log(`round ${round} of ${ROUNDS}`);
    for (const [name, run] of Object.entries(candidates)) {
      measurements.get(name)?.push(await run());
    }
  }
  return measurements;
}

function buildResult(measurements: Map<string, Measurement[]>, subject: string): BenchResult {
  const seconds = (name: string) =>
    (measurements.get(name) ?? []).map((measurement) => measurement.seconds);
  // Ratios compare runs of the same round, because other work on the machine affects both runs equally.
  const ratio = (name: string) =>
    round(median(seconds(name).map((value, at) => value / (seconds(BARE)[at] ?? Number.NaN))), 2);
  const peak = (name: string) =>
    Math.round(Math.max(...(measurements.get(name) ?? []).map(({ peakMb }) => peakMb)));
  return {
    part: 'ingest',
    subject,
    rows: [...measurements.keys()].map((name) => ({
      task: name,
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
