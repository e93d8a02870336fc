import type { Problem } from '../../../warehouse/live/conditions.ts';
import { formatShortage } from '../../processes/disk-space.ts';
import type { Status } from '../status/types.ts';

/** Bytes needed to build the whole history and to write a new store beside the current store. */
const LOW_BYTES = 2e9;
const LOW_SHARE = 0.05;

/** Reports a full or nearly full disk, and a shared lake that does not answer. */
export function findDiskProblems({ disk, lake, machine }: Status): Problem[] {
  const problems: Problem[] = [];
  const help = 'free space on the disk of DATA_DIR; downloads/ and older logs may be deleted';
  if (disk && disk.freeBytes < disk.minFreeBytes) {
    const text = `${formatShortage(disk)}: workers start no jobs that write files. To fix this, ${help}`;
    problems.push({ key: `full disk of ${machine}`, kind: 'disk.full', text, machine });
  } else if (disk && (disk.freeBytes < LOW_BYTES || disk.freeBytes < LOW_SHARE * disk.sizeBytes)) {
    const [free, size] = [disk.freeBytes, disk.sizeBytes].map((bytes) => (bytes / 1e9).toFixed(1));
    const text = `only ${free} of ${size} GB of the disk are free, and a build may need more: ${help}`;
    problems.push({ key: `low disk of ${machine}`, kind: 'disk.low', text, machine });
  }
  if (lake?.problem !== undefined) {
    const text = `the lake is unavailable: ${lake.problem}. See "Lake on object storage" in docs/operations.md`;
    problems.push({ key: `lake of ${machine}`, kind: 'lake.unavailable', text, machine });
  }
  return problems;
}
