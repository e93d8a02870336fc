import { newEntry } from '../../../warehouse/live/ops-entry.ts';
import { connectOnce } from '../../processes/redis-client.ts';

/** A fresh one-time address of the operators' pages of the API at that address. */
export async function operateAddress(address: string, redisUrl: string): Promise<string> {
  const redis = await connectOnce(redisUrl, `headwind-ops-entry-${process.pid}`);
  try {
    return `${address}/ops/login?token=${await newEntry(redis)}`;
  } finally {
    redis.disconnect();
  }
}
