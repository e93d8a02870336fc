import { basename } from 'node:path';
import { sha256 } from '../warehouse/ground/sha256.ts';
import { sum } from '../warehouse/ground/sum.ts';
import type { LakeHistory } from '../warehouse/lake/history.ts';
import type { MonthManifest } from '../warehouse/lake/lake.ts';
import type { LevelManifest } from '../warehouse/lake/level-lake.ts';
import type { LoadedMonth } from '../warehouse/snapshot.ts';
import type { MonthRef } from '../warehouse/lake/versions.ts';
import type { ExtractReport } from './flights/types.ts';
import type { UndoReport } from './flights/undo.ts';
import { recorded, type Ledger } from './ledger.ts';
import type { RunFacts, RunInput, RunStep } from '../warehouse/lake/ledger.ts';
import type { PipelineSteps } from './types.ts';
import type { BuildReport, LoadReport } from '../warehouse/build/reports.ts';

export type RecordDeps = {
  ledger: Ledger;
  /** SHA-256 of a file; undefined when it cannot be read. */
  hashOf: (path: string) => Promise<string | undefined>;
  /** The months of the lake. */
  lakeMonths: () => Promise<MonthManifest[]>;
  /** The months of the delay-cause table in the lake. */
  levelMonths: () => Promise<LevelManifest[]>;
  /** What a model would be trained on. */
  lakeHistory: () => Promise<LakeHistory>;
  /** The months the warehouse holds. */
  loadedMonths: () => Promise<LoadedMonth[]>;
  /** Brings the ledger into the warehouse; called after steps that had it open. */
  loadRuns: () => Promise<void>;
  /** Puts a copy of the warehouse, its ledger included, where tools may stay on it. */
  copyForReaders: () => Promise<void>;
};

/** The steps, each of whose runs is in the ledger when it returns or throws. */
export function recordedSteps(steps: PipelineSteps, deps: RecordDeps): PipelineSteps {
  const inWarehouse = async <T>(
    step: RunStep,
    work: () => Promise<T>,
    factsOf: (result: T | undefined) => Promise<RunFacts>,
  ): Promise<T> => {
    try {
      return await recorded(step, deps.ledger, work, factsOf);
    } finally {
      // The file of the run is written; the copy for SQL can wait for the next step.
      await deps.loadRuns().catch(() => undefined);
    }
  };
  const built = async (report: BuildReport | undefined) => {
    const months = await deps.loadedMonths();
    return { ...loadedFacts(months), ...(report && buildFacts(report)) };
  };
  return {
    // What is not named below is no run of its own. Live inputs come eight times a day and oftener: Redis knows how the last one
    // went, and the ledger is about the history. A download alone is none; what it brings goes through `extractFile`.
    ...steps,
    extractFile: (request, progress) =>
      recorded(
        'extract',
        deps.ledger,
        () => steps.extractFile(request, progress),
        async (report) =>
          report ? extractFacts(report) : failedExtractFacts(request, deps.hashOf),
      ),
    loadMonths: (months, progress) =>
      inWarehouse(
        'load',
        () => steps.loadMonths(months, progress),
        async (report) => loadFacts(months, await deps.lakeMonths(), report),
      ),
    loadDelayCauses: (months, progress) =>
      inWarehouse(
        'load',
        () => steps.loadDelayCauses(months, progress),
        async (report) => delayCauseFacts(months, await deps.levelMonths(), report),
      ),
    restoreMonth: (request, progress) =>
      inWarehouse('restore', () => steps.restoreMonth(request, progress), undoFacts(request)),
    dropMonth: (ref, progress) =>
      inWarehouse('drop', () => steps.dropMonth(ref, progress), undoFacts(ref)),
    buildFeatures: (progress) => inWarehouse('build', () => steps.buildFeatures(progress), built),
    train: (request, progress) =>
      inWarehouse(
        'train',
        () => steps.train(request, progress),
        async (report) =>
          // Months may come into the lake while a model is trained.
          report
            ? { ...historyFacts({ ...report, sha256: report.dataSha256 }), detail: report }
            : historyFacts(await deps.lakeHistory()),
      ),
    publishStore: async (progress) => {
      const published = await inWarehouse(
        'publish',
        () => steps.publishStore(progress),
        async (report) => ({ ...loadedFacts(await deps.loadedMonths()), detail: report }),
      );
      // Readers of the warehouse go on with the copy before, and status tells its age.
      await deps.copyForReaders().catch(() => undefined);
      return published;
    },
    rebuildWarehouse: (progress) =>
      inWarehouse('rebuild', () => steps.rebuildWarehouse(progress), built),
    // One run for a month, from its source to the warehouse: a month that was only fetched is fetched again.
    loadWeatherMonth: (ref) =>
      inWarehouse(
        'weather',
        () => steps.loadWeatherMonth(ref),
        async (days) => ({
          inputs: [{ name: `${ref.source} ${ref.month}` }],
          ...(days !== undefined && { rowsIn: days, rowsOut: days }),
        }),
      ),
  };
}

function extractFacts(report: ExtractReport): RunFacts {
  const kept = report.months.filter(({ outcome }) => outcome !== 'refused');
  const rejects: Record<string, number> = { ...report.undatedRejects };
  for (const month of report.months) {
    for (const [reason, rows] of Object.entries(month.rejects)) {
      rejects[reason] = (rejects[reason] ?? 0) + rows;
    }
  }
  return {
    inputs: (report.source.parts ?? [report.source]).map(({ name, sha256 }) => ({ name, sha256 })),
    rowsIn: report.rowsRead,
    // The good rows of a refused month went nowhere.
    rowsOut: sum(kept.map((month) => month.rowsLoaded)),
    rowsRejected: report.rowsRejected,
    rejects,
    detail: report,
  };
}

async function failedExtractFacts(
  request: { path: string },
  hashOf: RecordDeps['hashOf'],
): Promise<RunFacts> {
  return { inputs: [input(basename(request.path), await hashOf(request.path))], detail: request };
}

function loadFacts(
  months: string[],
  manifests: MonthManifest[],
  report: LoadReport | undefined,
): RunFacts {
  const found = manifests.filter(({ month }) => months.includes(month));
  return {
    inputs: months.map((month) => {
      const manifest = found.find((one) => one.month === month);
      return input(month, manifest?.files.routeHours.sha256);
    }),
    rowsIn: sum(found.map(({ rows }) => rows.loaded)),
    ...(report && { rowsOut: report.flights, detail: report }),
  };
}

function undoFacts(ref: MonthRef & { version?: string }) {
  return async (report: UndoReport | undefined): Promise<RunFacts> => ({
    inputs: [{ name: [ref.month, ref.version].filter(Boolean).join(' ') }],
    ...(report && {
      rowsIn: report.before?.rows ?? 0,
      rowsOut: report.after?.rows ?? 0,
      detail: report,
    }),
  });
}

/** The months as one input: a table of eight years is one file. */
function delayCauseFacts(
  months: string[],
  manifests: LevelManifest[],
  report: LoadReport | undefined,
): RunFacts {
  const found = manifests
    .filter(({ month }) => months.includes(month))
    .map(({ month, source, rows, extractedAt }) => ({
      month,
      sourceSha256: source.sha256,
      rows: rows.loaded,
      extractedAt,
    }));
  const facts = loadedFacts(found);
  return report
    ? { ...facts, rowsOut: facts.rowsIn ?? 0, detail: { ...report, table: 'delay_causes' } }
    : facts;
}

/** Loaded months as one input: the hash changes when any month is added, removed or replaced. */
function loadedFacts(
  loaded: Pick<LoadedMonth, 'month' | 'sourceSha256' | 'rows' | 'extractedAt'>[],
): RunFacts {
  const lines = loaded.map(
    ({ month, sourceSha256, extractedAt }) => `${month} ${sourceSha256} ${extractedAt}\n`,
  );
  const months = loaded.map(({ month }) => month);
  const rows = sum(loaded.map((one) => one.rows));
  return historyFacts({ months, rows, sha256: sha256(lines.join('')) });
}

/** Months as one input. */
function historyFacts({ months, rows, sha256: hash }: LakeHistory): RunFacts {
  if (months.length === 0) return { inputs: [] };
  const name = `${months.length} months, ${months.at(0)} to ${months.at(-1)}`;
  return { inputs: [{ name, sha256: hash }], rowsIn: rows };
}

function buildFacts(report: BuildReport): Partial<RunFacts> {
  return { rowsOut: sum(Object.values(report.rows)), detail: report };
}

function input(name: string, hash: string | undefined): RunInput {
  return hash === undefined ? { name } : { name, sha256: hash };
}
