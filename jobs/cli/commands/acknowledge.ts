import { openRedisClient } from '../../../warehouse/ground/redis-address.ts';
import { acknowledgeIncidents } from '../../../warehouse/live/incidents.ts';
import { openRedis } from '../../processes/redis-session.ts';
import type { CommandContext } from '../context.ts';

/** Acknowledges the failed jobs and refused months that `make status` lists, and prints them. */
export async function acknowledge({ config, out, now }: CommandContext): Promise<number> {
  const session = await openRedis(config, 'acknowledge');
  const redis = openRedisClient(session.url, {
    connectionName: `headwind-acknowledge-${process.pid}`,
  });
  redis.on('error', () => undefined);
  try {
    const incidents = await acknowledgeIncidents(redis, now().toISOString());
    const lines = incidents.map(({ text, since }) => `Cleared: ${text} (since ${since})\n`);
    out.write(lines.join('') || 'Nothing to clear: no failed job or refused month is listed.\n');
    return 0;
  } finally {
    redis.disconnect();
    await session.close();
  }
}
