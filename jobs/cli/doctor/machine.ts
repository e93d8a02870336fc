import type { DiskRoom } from '../../processes/disk-room.ts';
import { bad, doubtful, well, type Finding } from './finding.ts';

/** What the machine has. */
export type Machine = {
  /** Of the Node that runs us: `24.21.0`. */
  node: string;
  hasRedisServer: boolean;
  hasXgboost: boolean;
  /** Of the disk the data folder is on; undefined where it is not there yet. */
  disk: DiskRoom | undefined;
};

const LEAST_NODE = [24, 12] as const;
/** A build of the whole history and a store beside the one before: with less, a look is due. */
const LEAST_FREE = 2e9;
const LEAST_SHARE = 0.05;

/** Node, system packages, disk. */
export function machineFindings(
  { node, hasRedisServer, hasXgboost, disk }: Machine,
  { hasRedisUrl, minFreeBytes }: { hasRedisUrl: boolean; minFreeBytes: number },
): Finding[] {
  return [
    nodeFinding(node),
    hasRedisServer || hasRedisUrl
      ? well('redis-server', hasRedisUrl ? 'not needed: REDIS_URL is set' : 'installed')
      : bad('redis-server', 'not installed, and REDIS_URL is not set', 'make setup'),
    hasXgboost
      ? well('libxgboost0', 'installed')
      : doubtful('libxgboost0', 'not installed: no model is trained here', 'make setup'),
    diskFinding(disk, minFreeBytes),
  ];
}

function nodeFinding(node: string): Finding {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST_NODE;
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
    ? well('Node', node)
    : bad('Node', `${node} is older than ${LEAST_NODE.join('.')}`, 'start it through make');
}

function diskFinding(disk: Machine['disk'], minFreeBytes: number): Finding {
  if (!disk) return well('disk', 'no data folder yet');
  const { freeBytes: free, sizeBytes: size } = disk;
  const text = `${gigabytes(free)} free of ${gigabytes(size)}`;
  const help = 'room on the disk of DATA_DIR; downloads/ and older logs may go';
  if (free < minFreeBytes) {
    return bad('disk', `${text}: workers take no jobs that write files (MIN_FREE_MB)`, help);
  }
  return free < LEAST_FREE || free < LEAST_SHARE * size
    ? doubtful('disk', text, help)
    : well('disk', text);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
