import { createEntryToken } from '../../../warehouse/live/ops-entry.ts';
import { connectOnce } from '../../processes/redis-client.ts';

/** Creates a one-time address of the operators' pages. */
export async function createOperateAddress(address: string, redisUrl: string): Promise<string> {
  const redis = await connectOnce(redisUrl, `headwind-ops-entry-${process.pid}`);
  try {
    return `${address}/ops/login?token=${await createEntryToken(redis)}`;
  } finally {
    redis.disconnect();
  }
}
