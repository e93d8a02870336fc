import type { ExtractReport } from '../../../pipelines/flights/types.ts';
import type { MonthExtent } from '../../../warehouse/extract/staged-month.ts';
import type { UndoReport } from '../../../pipelines/flights/undo.ts';
import type { Run } from '../../../warehouse/lake/ledger.ts';
import type { OpsRunDetail, RunChange, RunMonth } from '../../../warehouse/live/ops-runs.ts';
import type { BackfillTally } from '../../queue/handlers/sum-up-backfill.ts';
import type { OpsRun } from '../../../warehouse/live/ops-summary.ts';

/** The counts of a month that a run can change. */
const COUNTS = ['flights', 'days', 'airports', 'airlines'] as const;

/** Converts a run of the ledger for the lists on the operators' pages. */
export function opsRun({ inputs, ...run }: Run): OpsRun {
  return { ...commonFields(run), inputs: inputs.map(({ name }) => name) };
}

/** Converts a run of the ledger for the page that shows only this run. */
export function runDetail(run: Run): OpsRunDetail {
  const { inputs, codeVersion, parts = [], log = [], rejects = {} } = run;
  const report = extractReport(run);
  return {
    ...commonFields(run),
    inputs,
    codeVersion,
    parts,
    log,
    rejects,
    months: monthsOf(run),
    changes: changesOf(run),
    notes: report?.notes ?? [],
  };
}

type CommonFields = Omit<OpsRun, 'inputs'>;

function commonFields(run: Omit<Run, 'inputs'>): CommonFields {
  const { id, step, outcome, startedAt, finishedAt, rowsIn, rowsOut, rowsRejected, error, job } =
    run;
  return {
    ...{ id, step, outcome, startedAt, finishedAt },
    ...(rowsIn !== undefined && { rowsIn }),
    ...(rowsOut !== undefined && { rowsOut }),
    ...(rowsRejected !== undefined && { rowsRejected }),
    ...(error !== undefined && { error }),
    ...(job && { job }),
  };
}

/** Returns what happened to each month of an extract, and the failed months of a backfill. */
function monthsOf(run: Run): RunMonth[] {
  if (run.step === 'backfill') {
    const { failures = [] } = (run.detail ?? {}) as Partial<BackfillTally>;
    return failures.map((failure) => ({ ...failure, outcome: 'failed' }));
  }
  return (extractReport(run)?.months ?? []).map(({ month, outcome, why }) => ({
    month,
    outcome,
    ...(why !== undefined && { why }),
  }));
}

/** Returns the counts of each month before and after the run, and the groups that lost most flights. */
function changesOf(run: Run): RunChange[] {
  if (run.step === 'restore' || run.step === 'drop') {
    const { month, before, after } = (run.detail ?? {}) as Partial<UndoReport>;
    return month === undefined ? [] : compareExtents(month, before, after);
  }
  return (extractReport(run)?.months ?? []).flatMap(({ month, replaced, losses }) => [
    ...(replaced ? compareExtents(month, replaced.before, replaced.after) : []),
    ...(losses?.groups ?? []).map(({ airline, airport, before, after }) => ({
      month,
      group: `${airline} at ${airport}`,
      ...{ before, after },
    })),
  ]);
}

function compareExtents(
  month: string,
  before: MonthExtent | undefined,
  after: MonthExtent | undefined,
): RunChange[] {
  return COUNTS.filter((group) => before?.[group] !== after?.[group]).map((group) => ({
    month,
    group,
    ...(before && { before: before[group] }),
    ...(after && { after: after[group] }),
  }));
}

/** Returns the report of an extract; a failed extract has none. */
function extractReport({ step, outcome, detail }: Run): ExtractReport | undefined {
  return step === 'extract' && outcome === 'done' ? (detail as ExtractReport) : undefined;
}
