import { Counter, Histogram, type Registry } from 'prom-client';
import { JOB_NAMES } from './handlers.ts';

/** How an attempt at a job ended: `failed` for good, or to be `retried`. */
export type JobOutcome = 'done' | 'retried' | 'failed';

/** Told of each attempt at a job that came to its end. */
export type JobEnded = (job: string, outcome: JobOutcome, seconds: number) => void;

/** Seconds; from a look at the FAA's status to a training or a rebuild of decades. */
const JOB_BUCKETS = [0.1, 0.5, 1, 5, 15, 30, 60, 120, 300, 900, 1800, 3600];

/** Counts how jobs end in this worker. Labels are the names of jobs: never a month, a file or a place. */
export function countJobs(registry: Registry): JobEnded {
  const registers = [registry];
  const durations = new Histogram({
    name: 'headwind_job_duration_seconds',
    help: 'Time of an attempt at a job, by how it ended.',
    labelNames: ['job_name', 'outcome'],
    buckets: JOB_BUCKETS,
    registers,
  });
  const failures = new Counter({
    name: 'headwind_job_failures_total',
    help: 'Attempts at jobs that failed: for good, or to be tried again.',
    labelNames: ['job_name', 'outcome'],
    registers,
  });
  // A count that appears with its first failure would hide it: a rate is of what was there before.
  for (const job of JOB_NAMES) {
    durations.zero({ job_name: job, outcome: 'done' });
    for (const outcome of ['retried', 'failed']) failures.inc({ job_name: job, outcome }, 0);
  }
  return (job, outcome, seconds) => {
    durations.observe({ job_name: job, outcome }, seconds);
    if (outcome !== 'done') failures.inc({ job_name: job, outcome });
  };
}
