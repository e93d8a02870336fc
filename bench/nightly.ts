import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { round } from '../warehouse/ground/round.ts';
import { dataPaths } from '../warehouse/paths.ts';
import { runMeasured, type Measurement } from './measured.ts';
import { median, type BenchResult } from './report.ts';
import { touchNewestMonth, writeSyntheticMonths } from './synthetic-months.ts';

/** A year, and the ten years that BTS's form has been stable for. */
const HISTORIES = [12, 120];

/** Nights of each kind after the first. */
const ROUNDS = 3;

type Night = {
  months: number;
  flights: number;
  warehouseMb: number;
  /** The first night fills the reference tables, too. */
  first: Measurement;
  /** A night after one month was loaded: a whole build. */
  changed: Measurement;
  unchanged: Measurement;
  /** Store versions after all nights; an unchanged history publishes nothing new. */
  versions: number;
};

/** Builds, checks and publishes to disk over 12 and over 120 made-up months, each night in a process of its own. */
export async function benchNightly(log: (line: string) => void): Promise<BenchResult> {
  const nights: Night[] = [];
  for (const months of HISTORIES) {
    nights.push(await nightOf(months, log));
  }
  return resultOf(nights);
}

async function nightOf(months: number, log: (line: string) => void): Promise<Night> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  try {
    const { warehouseFile, storeDir } = dataPaths(dataDir);
    log(`making ${months} months`);
    const flights = await writeSyntheticMonths(warehouseFile, months);
    const { size } = await stat(warehouseFile);
    log(`first night over ${months} months`);
    const first = await runMeasured('run-nightly.ts', [dataDir]);
    const changed: Measurement[] = [];
    const unchanged: Measurement[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      log(`round ${round} of ${ROUNDS}: a night with a new month, a night without`);
      await touchNewestMonth(warehouseFile);
      changed.push(await runMeasured('run-nightly.ts', [dataDir]));
      unchanged.push(await runMeasured('run-nightly.ts', [dataDir]));
    }
    return {
      months,
      flights,
      warehouseMb: Math.round(size / 1e6),
      first,
      changed: typical(changed),
      unchanged: typical(unchanged),
      versions: (await readdir(storeDir)).filter((name) => name !== 'current').length,
    };
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

/** The middle time, and the most memory. */
function typical(measured: Measurement[]): Measurement {
  return {
    seconds: median(measured.map(({ seconds }) => seconds)),
    cpuSeconds: median(measured.map(({ cpuSeconds }) => cpuSeconds)),
    peakMb: Math.max(...measured.map(({ peakMb }) => peakMb)),
  };
}

function resultOf(nights: Night[]): BenchResult {
  const [year, decade] = nights as [Night, Night];
  return {
    part: 'nightly',
    subject: `build, checks, export and publish to disk, without training (PART=train); medians of ${ROUNDS} nights, the first apart`,
    rows: nights.map((night) => ({
      months: night.months,
      'flights, millions': (night.flights / 1e6).toFixed(1),
      'warehouse, MB': night.warehouseMb,
      'first night, s': night.first.seconds.toFixed(2),
      'new month, s': night.changed.seconds.toFixed(2),
      'unchanged, s': night.unchanged.seconds.toFixed(2),
      'peak memory, MB': Math.round(Math.max(night.first.peakMb, night.changed.peakMb)),
      'store versions': night.versions,
    })),
    targets: [
      {
        name: 'first night, 12 months',
        measured: round(year.first.seconds, 2),
        atMost: 20,
        unit: 's',
      },
      {
        name: 'night with a new month, 120 months against 12',
        measured: round(decade.changed.seconds / year.changed.seconds, 2),
        atMost: 2,
        unit: 'times',
      },
      {
        name: 'unchanged night, 120 months',
        measured: round(decade.unchanged.seconds, 2),
        atMost: 5,
        unit: 's',
      },
      {
        name: 'versions published over an unchanged history',
        measured: Math.max(year.versions, decade.versions),
        atMost: 1,
        unit: '',
      },
    ],
  };
}
