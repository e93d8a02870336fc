import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { round } from '../warehouse/ground/numbers.ts';
import { dataPaths } from '../warehouse/paths.ts';
import { runMeasured, type Measurement } from './measured.ts';
import { median, type BenchResult } from './report.ts';
import { touchNewestMonth, writeSyntheticMonths } from './synthetic-months.ts';

/** Numbers of months: one year, and ten years, for which the format of BTS has been stable. */
const HISTORIES = [12, 120];

/** Number of runs of each kind, after the first run. */
const ROUNDS = 3;

type NightlyResult = {
  months: number;
  flights: number;
  warehouseMb: number;
  /** The first run also fills the reference tables. */
  first: Measurement;
  /** A run after one month was loaded, with a whole build. */
  changed: Measurement;
  unchanged: Measurement;
  /** Number of store versions after all runs. A run over an unchanged history publishes no new version. */
  versions: number;
};

/** Builds, checks and publishes 12 and 120 made-up months to disk, each run in a separate process. */
export async function benchNightly(log: (line: string) => void): Promise<BenchResult> {
  const results: NightlyResult[] = [];
  for (const months of HISTORIES) {
    results.push(await measureNightly(months, log));
  }
  return buildResult(results);
}

async function measureNightly(months: number, log: (line: string) => void): Promise<NightlyResult> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  try {
    const { warehouseFile, storeDir } = dataPaths(dataDir);
    log(`making ${months} months`);
    const flights = await writeSyntheticMonths(warehouseFile, months);
    const { size } = await stat(warehouseFile);
    log(`first run over ${months} months`);
    const first = await runMeasured('run-nightly.ts', [dataDir]);
    const changed: Measurement[] = [];
    const unchanged: Measurement[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      log(`round ${round} of ${ROUNDS}: a run with a new month, and one without`);
      await touchNewestMonth(warehouseFile);
      changed.push(await runMeasured('run-nightly.ts', [dataDir]));
      unchanged.push(await runMeasured('run-nightly.ts', [dataDir]));
    }
    return {
      months,
      flights,
      warehouseMb: Math.round(size / 1e6),
      first,
      changed: summarize(changed),
      unchanged: summarize(unchanged),
      versions: (await readdir(storeDir)).filter((name) => name !== 'current').length,
    };
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

/** Returns the median times and the maximum memory. */
function summarize(measured: Measurement[]): Measurement {
  return {
    seconds: median(measured.map(({ seconds }) => seconds)),
    cpuSeconds: median(measured.map(({ cpuSeconds }) => cpuSeconds)),
    peakMb: Math.max(...measured.map(({ peakMb }) => peakMb)),
  };
}

function buildResult(nights: NightlyResult[]): BenchResult {
  const [year, decade] = nights as [NightlyResult, NightlyResult];
  return {
    part: 'nightly',
    subject: `build, checks, export and publish to disk, without training (PART=train); medians of ${ROUNDS} runs, the first run separately`,
    rows: nights.map((night) => ({
      months: night.months,
      'flights, millions': (night.flights / 1e6).toFixed(1),
      'warehouse, MB': night.warehouseMb,
      'first run, s': night.first.seconds.toFixed(2),
      'run with a new month, s': night.changed.seconds.toFixed(2),
      'unchanged run, s': night.unchanged.seconds.toFixed(2),
      'peak memory, MB': Math.round(Math.max(night.first.peakMb, night.changed.peakMb)),
      'store versions': night.versions,
    })),
    targets: [
      {
        name: 'first run, 12 months',
        measured: round(year.first.seconds, 2),
        atMost: 20,
        unit: 's',
      },
      {
        name: 'run with a new month, 120 months / 12 months',
        measured: round(decade.changed.seconds / year.changed.seconds, 2),
        atMost: 2,
        unit: 'times',
      },
      {
        name: 'unchanged run, 120 months',
        measured: round(decade.unchanged.seconds, 2),
        atMost: 5,
        unit: 's',
      },
      {
        name: 'store versions of an unchanged history',
        measured: Math.max(year.versions, decade.versions),
        atMost: 1,
        unit: '',
      },
    ],
  };
}
