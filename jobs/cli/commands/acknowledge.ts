import { openRedisClient } from '../../../warehouse/ground/redis-address.ts';
import { acknowledgeIncidents } from '../../../warehouse/live/incidents.ts';
import { openRedis } from '../../processes/redis-session.ts';
import type { CommandContext } from '../context.ts';

/** Takes off the failed jobs and refused months that are told, and names them. */
export async function acknowledge({ config, out, now }: CommandContext): Promise<number> {
  const session = await openRedis(config, 'acknowledge');
  const redis = openRedisClient(session.url, {
    connectionName: `headwind-acknowledge-${process.pid}`,
  });
  redis.on('error', () => undefined);
  try {
    const taken = await acknowledgeIncidents(redis, now().toISOString());
    const lines = taken.map(({ text, since }) => `Taken off: ${text} (${since})\n`);
    out.write(lines.join('') || 'No failed job or refused month is told.\n');
    return 0;
  } finally {
    redis.disconnect();
    await session.close();
  }
}
