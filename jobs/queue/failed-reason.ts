import type { Job } from 'bullmq';

/** BullMQ's reason for a job that lost its worker too often. */
const STALLED_TOO_OFTEN = 'job stalled more than allowable limit';

/** Returns why a job failed. Adds advice if BullMQ's own reason has no advice. */
export function failureReason({ failedReason }: Pick<Job, 'failedReason'>): string {
  if (failedReason !== STALLED_TOO_OFTEN) return failedReason;
  return 'every worker that ran this job was killed, or ran out of memory: check dmesg and MemoryMax of the unit';
}
