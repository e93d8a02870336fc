import { addSigningKey, generateSigningKey } from '../../../warehouse/live/signing-keys.ts';
import { connectOnce } from '../../processes/redis-client.ts';
import { openRedis } from '../../processes/redis-session.ts';
import type { CommandContext } from '../context.ts';

/** Adds a key that will sign answers. Former keys stay published. */
export async function rotateSigningKey({ config, now, out }: CommandContext): Promise<number> {
  const session = await openRedis(config, 'signing-keys');
  const redis = await connectOnce(session.url, `headwind-signing-${process.pid}`);
  try {
    const key = generateSigningKey(now());
    await addSigningKey(redis, key);
    out.write(`The key ${key.kid} signs answers in 10 minutes. Former keys still verify.\n`);
    return 0;
  } finally {
    redis.disconnect();
    await session.close();
  }
}
