import type { Database } from './connect.ts';

/** One step of the pipeline that came to its end. */
export type Run = {
  step: 'load' | 'build' | 'publish';
  startedAt: Date;
  finishedAt: Date;
  outcome: 'done' | 'failed';
  /** What the step reports. */
  detail: unknown;
};

/** Adds the run to `ops.runs`. */
export async function recordRun(db: Database, run: Run): Promise<void> {
  await db.run(
    `insert into ops.runs (step, started_at, finished_at, outcome, detail)
     values ($step, $startedAt::timestamptz, $finishedAt::timestamptz, $outcome, $detail::json)`,
    {
      step: run.step,
      startedAt: run.startedAt.toISOString(),
      finishedAt: run.finishedAt.toISOString(),
      outcome: run.outcome,
      detail: JSON.stringify(run.detail),
    },
  );
}
