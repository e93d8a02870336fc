import type { Job } from 'bullmq';

/** As BullMQ says it of a job whose workers were lost again and again. */
const LOST = 'job stalled more than allowable limit';

/** Why a job failed, in words that say what helps. */
export function reasonOf({ failedReason }: Pick<Job, 'failedReason'>): string {
  if (failedReason !== LOST) return failedReason;
  return 'each of its workers was lost while it ran: they were killed, or the job needs more memory than they may have (MemoryMax of the unit, dmesg)';
}
