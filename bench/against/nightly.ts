import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { round } from '../../warehouse/ground/numbers.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { runMeasured, type Measurement } from '../measured.ts';
import { formatQuartiles, median, type BenchResult } from '../report.ts';
import { closeCheckout, openCheckout, ownCheckout, type Checkout } from './checkout.ts';
import { roundsOf } from './rounds.ts';

const MONTHS = 12;
const ROUNDS = 6;
const SYNTHETIC = path.join(import.meta.dirname, 'run-synthetic.ts');

/** A version with its data folder and its measured runs. */
type Side = {
  runNightly: () => Promise<Measurement>;
  touchNewestMonth: () => Promise<void>;
  measured: Measurement[];
};

/**
 * Compares the nightly runs of two versions: this version and another. Each run has a new month to process. Both
 * versions have a year of made-up American months, which they make from their own seed. The versions run in turn.
 */
export async function benchNightlyAgainst(
  place: string,
  log: (line: string) => void,
): Promise<BenchResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hw-against-'));
  try {
    const before = await prepare(await openCheckout(place, folder), path.join(folder, 'before'));
    const now = await prepare(await ownCheckout(), path.join(folder, 'now'));
    // The warm-up round also fills the reference tables.
    for (const { isWarmUp, inOrder } of roundsOf(ROUNDS, log)) {
      for (const side of inOrder([before, now])) {
        await side.touchNewestMonth();
        const measurement = await side.runNightly();
        if (!isWarmUp) side.measured.push(measurement);
      }
    }
    return buildResult(before.measured, now.measured, place);
  } finally {
    await closeCheckout(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

async function prepare({ folder }: Checkout, dataDir: string): Promise<Side> {
  await mkdir(dataDir);
  const { warehouseFile } = dataPaths(dataDir);
  const makeMonths = async (...args: string[]) => {
    await promisify(execFile)(process.execPath, [SYNTHETIC, folder, warehouseFile, ...args]);
  };
  await makeMonths(String(MONTHS));
  return {
    runNightly: () => runMeasured(path.join(folder, 'bench/run-nightly.ts'), [dataDir]),
    touchNewestMonth: () => makeMonths(),
    measured: [],
  };
}

function buildResult(before: Measurement[], now: Measurement[], place: string): BenchResult {
  /** Compares runs of the same round, because other work on the machine affected both runs. */
  const ratiosOf = (figure: (run: Measurement) => number) =>
    now.map((run, at) => figure(run) / figure(before[at] as Measurement));
  const rowOf = (name: string, figure: (run: Measurement) => number) => ({
    figure: name,
    before: round(median(before.map(figure)), 2),
    now: round(median(now.map(figure)), 2),
    'now / before': formatQuartiles(ratiosOf(figure)),
  });
  return {
    part: 'nightly-against',
    subject: `a run with a new month, ${MONTHS} American months, against ${place}; medians of ${ROUNDS} rounds, ratios within a round with their quartiles`,
    rows: [
      rowOf('CPU, s', ({ cpuSeconds }) => cpuSeconds),
      rowOf('elapsed, s', ({ seconds }) => seconds),
      rowOf('peak memory, MB', ({ peakMb }) => peakMb),
    ],
    targets: [
      {
        name: `CPU against ${place}`,
        measured: round(median(ratiosOf(({ cpuSeconds }) => cpuSeconds)), 2),
        atMost: 1.1,
        unit: 'times',
      },
    ],
  };
}
