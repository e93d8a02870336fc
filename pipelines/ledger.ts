import type { Run, Warehouse } from '../warehouse/warehouse.ts';

/** Does the work and records it in the ledger, failed or done; a failure is thrown on. */
export async function recorded<T>(
  step: Run['step'],
  { warehouse, now }: { warehouse: Warehouse; now: () => Date },
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = now();
  const record = (outcome: Run['outcome'], detail: unknown) =>
    warehouse.recordRun({ step, startedAt, finishedAt: now(), outcome, detail });
  let report: T;
  try {
    report = await work();
  } catch (error) {
    // The failure of the work is what counts, even when the ledger cannot be written either.
    await record('failed', { error: String(error) }).catch(() => undefined);
    throw error;
  }
  await record('done', report);
  return report;
}
