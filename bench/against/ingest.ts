import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { closeCheckout, openCheckout, ownCheckout, type Checkout } from './checkout.ts';
import { roundsOf } from './rounds.ts';
import { btsCsvName, writeBtsMonth } from '../generate/bts-month.ts';
import { measureExtract } from '../ingest.ts';
import type { Measurement } from '../measured.ts';
import { median, type BenchResult } from '../report.ts';
import { btsFileName } from '../../pipelines/flights/months.ts';
import { round } from '../../warehouse/ground/numbers.ts';

const MONTH = '2025-03';
const ROWS = 600_000;
const ROUNDS = 6;

type SideName = 'before' | 'now';

/** Two extracts of the same file, one by each version, directly after each other. */
type Pair = { file: string; before: Measurement; now: Measurement };

/**
 * Compares how two versions extract a busy BTS month: this version and another. Each version extracts the month from a
 * zip and from a plain CSV. The versions take turns, so that other work on the machine affects them equally.
 */
export async function benchIngestAgainst(
  place: string,
  log: (line: string) => void,
): Promise<BenchResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hw-against-'));
  try {
    const sides = { before: await openCheckout(place, folder), now: await ownCheckout() };
    log(`making a month of ${ROWS} flights`);
    const csv = path.join(folder, btsCsvName(MONTH));
    const zip = path.join(folder, btsFileName(MONTH));
    await writeBtsMonth(csv, { month: MONTH, rows: ROWS });
    await writeBtsMonth(zip, { month: MONTH, rows: ROWS });
    const pairs: Pair[] = [];
    for (const { isWarmUp, inOrder } of roundsOf(ROUNDS, log)) {
      const order = inOrder(['before', 'now'] as const);
      for (const [file, source] of Object.entries({ zip, 'plain CSV': csv })) {
        const pair = await measurePair(source, folder, sides, order);
        if (!isWarmUp) pairs.push({ file, ...pair });
      }
    }
    return buildResult(pairs, place);
  } finally {
    await closeCheckout(folder);
    await rm(folder, { recursive: true });
  }
}

async function measurePair(
  source: string,
  folder: string,
  sides: Record<SideName, Checkout>,
  order: readonly SideName[],
): Promise<Omit<Pair, 'file'>> {
  const measured: Partial<Omit<Pair, 'file'>> = {};
  for (const name of order) {
    const script = path.join(sides[name].folder, 'bench/run-extract.ts');
    measured[name] = await measureExtract(source, folder, script);
  }
  return measured as Omit<Pair, 'file'>;
}

function buildResult(pairs: Pair[], place: string): BenchResult {
  const files = [...Map.groupBy(pairs, ({ file }) => file)];
  const middle = (own: Pair[], figure: (pair: Pair) => number) => round(median(own.map(figure)), 2);
  const ratio = (own: Pair[], figure: 'seconds' | 'cpuSeconds') =>
    middle(own, ({ before, now }) => now[figure] / before[figure]);
  return {
    part: 'ingest-against',
    subject: `${ROWS} flights, 109 columns, against ${place}; medians of ${ROUNDS} rounds, ratios within a round`,
    rows: files.map(([file, own]) => ({
      file,
      'seconds before': middle(own, ({ before }) => before.seconds),
      'seconds now': middle(own, ({ now }) => now.seconds),
      ratio: ratio(own, 'seconds'),
      'CPU before, s': middle(own, ({ before }) => before.cpuSeconds),
      'CPU now, s': middle(own, ({ now }) => now.cpuSeconds),
      'CPU ratio': ratio(own, 'cpuSeconds'),
      'peak MB before': Math.round(Math.max(...own.map(({ before }) => before.peakMb))),
      'peak MB now': Math.round(Math.max(...own.map(({ now }) => now.peakMb))),
    })),
    targets: files.map(([file, own]) => ({
      name: `extract, ${file}: time against ${place}`,
      measured: ratio(own, 'seconds'),
      atMost: 1.1,
      unit: 'times',
    })),
  };
}
