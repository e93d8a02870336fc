import { basename } from 'node:path';
import { periodText } from '../warehouse/ground/period.ts';
import { sha256 } from '../warehouse/ground/hashes.ts';
import { sum } from '../warehouse/ground/numbers.ts';
import type { LakeHistory } from '../warehouse/lake/history.ts';
import type { MonthManifest } from '../warehouse/lake/lake.ts';
import type { LevelManifest } from '../warehouse/lake/level-lake.ts';
import type { LoadedMonth } from '../warehouse/snapshot.ts';
import type { MonthRef } from '../warehouse/lake/versions.ts';
import type { ExtractReport } from './flights/types.ts';
import type { UndoReport } from './flights/undo.ts';
import { recordRun, type Ledger } from './ledger.ts';
import type { RunFacts, RunInput, RunStep } from '../warehouse/lake/ledger.ts';
import type { PipelineSteps } from './types.ts';
import type { BuildReport, LoadReport } from '../warehouse/build/reports.ts';

export type RecordDeps = {
  ledger: Ledger;
  /** Returns the SHA-256 of a file; undefined if the file cannot be read. */
  hashOf: (path: string) => Promise<string | undefined>;
  /** Returns the months of the lake: of the American record, or of `provider`. */
  lakeMonths: (provider?: string) => Promise<MonthManifest[]>;
  /** The months of the delay-cause table in the lake. */
  levelMonths: () => Promise<LevelManifest[]>;
  /** The history in the lake, from which a model would be trained. */
  lakeHistory: () => Promise<LakeHistory>;
  /** The months in the warehouse. */
  loadedMonths: () => Promise<LoadedMonth[]>;
  /** Loads the ledger into the warehouse; called after each step that uses the warehouse. */
  loadRuns: () => Promise<void>;
  /** Copies the warehouse, including the ledger, to a file that tools may keep open. */
  copyForReaders: () => Promise<void>;
};

/** Wraps the steps so that each run is recorded in the ledger before it returns or throws. */
export function recordSteps(steps: PipelineSteps, deps: RecordDeps): PipelineSteps {
  const runInWarehouse = async <T>(
    step: RunStep,
    work: () => Promise<T>,
    factsOf: (result: T | undefined) => Promise<RunFacts>,
  ): Promise<T> => {
    try {
      return await recordRun(step, deps.ledger, work, factsOf);
    } finally {
      // Ignore the error: the file of the ledger already has the run, and the next step loads it into the warehouse.
      await deps.loadRuns().catch(() => undefined);
    }
  };
  const describeBuild = async (report: BuildReport | undefined) => {
    const months = await deps.loadedMonths();
    return { ...loadedFacts(months), ...(report && buildFacts(report)) };
  };
  return {
    // The steps that are not wrapped below are not recorded. Live inputs are refreshed eight times a day or more, and
    // Redis has their last result; the ledger is only about history. A download is recorded when `extractFile` reads
    // its file.
    ...steps,
    extractFile: (request, progress) =>
      recordRun(
        'extract',
        deps.ledger,
        () => steps.extractFile(request, progress),
        async (report) =>
          report ? extractFacts(report) : failedExtractFacts(request, deps.hashOf),
      ),
    loadMonths: (months, progress, provider) =>
      runInWarehouse(
        'load',
        () => steps.loadMonths(months, progress, provider),
        async (report) => loadFacts(months, await deps.lakeMonths(provider), report),
      ),
    loadDelayCauses: (months, progress) =>
      runInWarehouse(
        'load',
        () => steps.loadDelayCauses(months, progress),
        async (report) => delayCauseFacts(months, await deps.levelMonths(), report),
      ),
    restoreMonth: (request, progress) =>
      runInWarehouse('restore', () => steps.restoreMonth(request, progress), undoFacts(request)),
    dropMonth: (ref, progress) =>
      runInWarehouse('drop', () => steps.dropMonth(ref, progress), undoFacts(ref)),
    buildFeatures: (progress) =>
      runInWarehouse('build', () => steps.buildFeatures(progress), describeBuild),
    train: (request, progress) =>
      runInWarehouse(
        'train',
        () => steps.train(request, progress),
        async (report) =>
          // The lake may receive months during the training, so the report names the months that were used.
          report
            ? { ...historyFacts({ ...report, sha256: report.dataSha256 }), detail: report }
            : historyFacts(await deps.lakeHistory()),
      ),
    publishStore: async (progress) => {
      const result = await runInWarehouse(
        'publish',
        () => steps.publishStore(progress),
        async (report) => ({ ...loadedFacts(await deps.loadedMonths()), detail: report }),
      );
      // If the copy fails, readers use the previous copy. `make status` shows the age of the copy.
      await deps.copyForReaders().catch(() => undefined);
      return result;
    },
    rebuildWarehouse: (progress) =>
      runInWarehouse('rebuild', () => steps.rebuildWarehouse(progress), describeBuild),
    // Fetching and loading a month are recorded here as one run. If a month was fetched but not loaded, it is fetched
    // again.
    loadWeatherMonth: (ref) =>
      runInWarehouse(
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
  const writtenMonths = report.months.filter(
    ({ outcome }) => outcome === 'written' || outcome === 'unchanged',
  );
  const rejects: Record<string, number> = { ...report.undatedRejects };
  for (const month of report.months) {
    for (const [reason, rows] of Object.entries(month.rejects)) {
      rejects[reason] = (rejects[reason] ?? 0) + rows;
    }
  }
  return {
    inputs: (report.source.parts ?? [report.source]).map(({ name, sha256 }) => ({ name, sha256 })),
    rowsIn: report.rowsRead,
    // Good rows of a refused or dropped month are not written, so they are not counted.
    rowsOut: sum(writtenMonths.map((month) => month.rowsLoaded)),
    rowsRejected: report.rowsRejected,
    rejects,
    detail: report,
  };
}

async function failedExtractFacts(
  request: { path: string },
  hashOf: RecordDeps['hashOf'],
): Promise<RunFacts> {
  return { inputs: [toInput(basename(request.path), await hashOf(request.path))], detail: request };
}

function loadFacts(
  months: string[],
  manifests: MonthManifest[],
  report: LoadReport | undefined,
): RunFacts {
  const matches = manifests.filter(({ month }) => months.includes(month));
  return {
    inputs: months.map((month) => {
      const manifest = matches.find((one) => one.month === month);
      const { periodMonths, source } = manifest ?? {};
      const name = periodText({ month, periodMonths, provider: source?.provider });
      return toInput(name, manifest?.files.routeHours.sha256);
    }),
    rowsIn: sum(matches.map(({ rows }) => rows.loaded)),
    ...(report && { rowsOut: report.flights, detail: report }),
  };
}

function undoFacts(ref: MonthRef & { version?: string }) {
  return async (report: UndoReport | undefined): Promise<RunFacts> => ({
    inputs: [{ name: [undonePeriod(ref, report), ref.version].filter(Boolean).join(' ') }],
    ...(report && {
      rowsIn: report.before?.rows ?? 0,
      rowsOut: report.after?.rows ?? 0,
      detail: report,
    }),
  });
}

function undonePeriod(ref: MonthRef, report: UndoReport | undefined): string {
  return periodText({ ...ref, periodMonths: (report?.after ?? report?.before)?.periodMonths });
}

/** Describes the months as one input, because one file of the delay-cause table has eight years. */
function delayCauseFacts(
  months: string[],
  manifests: LevelManifest[],
  report: LoadReport | undefined,
): RunFacts {
  const matches = manifests
    .filter(({ month }) => months.includes(month))
    .map(({ month, source, rows, extractedAt }) => ({
      month,
      sourceSha256: source.sha256,
      rows: rows.loaded,
      extractedAt,
    }));
  const facts = loadedFacts(matches);
  return report
    ? { ...facts, rowsOut: facts.rowsIn ?? 0, detail: { ...report, table: 'delay_causes' } }
    : facts;
}

/** Describes loaded months as one input. The hash changes when a month is added, removed or replaced. */
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

/** Describes months as one input. */
function historyFacts({ months, rows, sha256: hash }: LakeHistory): RunFacts {
  if (months.length === 0) return { inputs: [] };
  const name = `${months.length} months, ${months.at(0)} to ${months.at(-1)}`;
  return { inputs: [{ name, sha256: hash }], rowsIn: rows };
}

function buildFacts(report: BuildReport): Partial<RunFacts> {
  return { rowsOut: sum(Object.values(report.rows)), detail: report };
}

function toInput(name: string, hash: string | undefined): RunInput {
  return hash === undefined ? { name } : { name, sha256: hash };
}
