import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import Table from 'cli-table3';
import { round } from '../warehouse/ground/numbers.ts';

/** The result of one part of the bench. */
export type BenchResult = {
  part: string;
  /** A sentence that describes the setup. */
  subject: string;
  rows: Record<string, string | number>[];
  targets: Target[];
};

/** A target for a measured value. The target is met if `measured` is at most `atMost`, or at least `atLeast`. */
export type Target = {
  name: string;
  measured: number;
  unit: string;
} & ({ atMost: number } | { atLeast: number });

const RESULTS_DIR = path.join(import.meta.dirname, 'results');

/** Prints the result as a table and writes it as JSON to `bench/results`; returns the file's path. */
export async function report(result: BenchResult, out: NodeJS.WritableStream): Promise<string> {
  const columns = Object.keys(result.rows[0] ?? {});
  const table = new Table({ head: columns, style: { head: [], border: [] } });
  table.push(...result.rows.map((row) => columns.map((column) => row[column] ?? '')));
  out.write(`\n${result.part}: ${result.subject}\n${table.toString()}\n`);
  for (const target of result.targets) out.write(`  ${verdictOn(target)}\n`);
  await mkdir(RESULTS_DIR, { recursive: true });
  const file = path.join(RESULTS_DIR, `${result.part}.json`);
  const content = { ...result, machine: machine(), measuredAt: new Date().toISOString() };
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
  return file;
}

function verdictOn(target: Target): string {
  const { name, measured, unit } = target;
  const [isMet, bound] =
    'atMost' in target
      ? [measured <= target.atMost, `at most ${target.atMost}`]
      : [measured >= target.atLeast, `at least ${target.atLeast}`];
  return `${isMet ? 'met' : 'MISSED'}: ${name} ${measured} ${unit}, target ${bound} ${unit}`;
}

/** Returns the median; with an even count, the lower of the two middle values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/** Formats the median with the lower and upper quartile: `2.05 (1.98 to 2.11)`. */
export function formatQuartiles(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0, 2);
  return `${at(0.5)} (${at(0.25)} to ${at(0.75)})`;
}

function machine() {
  return {
    cpus: cpus().length,
    cpu: cpus()[0]?.model,
    memoryGb: Math.round(totalmem() / 1e9),
    node: process.version,
  };
}
