import type { DiskSpace } from '../../processes/disk-space.ts';
import { badFinding, doubtfulFinding, okFinding, type Finding } from './finding.ts';

/** Properties of the machine. */
export type Machine = {
  /** Version of the running Node: `24.21.0`. */
  node: string;
  hasRedisServer: boolean;
  hasXgboost: boolean;
  /** Space on the disk of the data folder; undefined if the folder does not exist yet. */
  disk: DiskSpace | undefined;
};

const MIN_NODE = [24, 12] as const;
/** Checks Node, the system packages and the disk. */
export function machineFindings(
  { node, hasRedisServer, hasXgboost, disk }: Machine,
  { hasRedisUrl }: { hasRedisUrl: boolean },
): Finding[] {
  return [
    nodeFinding(node),
    hasRedisServer || hasRedisUrl
      ? okFinding('redis-server', hasRedisUrl ? 'not needed: REDIS_URL is set' : 'installed')
      : badFinding('redis-server', 'not installed, and REDIS_URL is not set', 'make setup'),
    hasXgboost
      ? okFinding('libxgboost0', 'installed')
      : doubtfulFinding(
          'libxgboost0',
          'not installed; this machine cannot train models',
          'make setup',
        ),
    diskFinding(disk),
  ];
}

function nodeFinding(node: string): Finding {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [minMajor, minMinor] = MIN_NODE;
  return major > minMajor || (major === minMajor && minor >= minMinor)
    ? okFinding('Node', node)
    : badFinding(
        'Node',
        `${node} is older than ${MIN_NODE.join('.')}`,
        'start the commands with make',
      );
}

/**
 * Shows the space on the disk. This finding is never bad, because the conditions `disk.full` and `disk.low` judge the
 * disk.
 */
function diskFinding(disk: Machine['disk']): Finding {
  if (!disk) return okFinding('disk', 'no data folder yet');
  return okFinding('disk', `${gigabytes(disk.freeBytes)} free of ${gigabytes(disk.sizeBytes)}`);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
