import { openRedisClient } from '../../../warehouse/ground/redis-address.ts';
import {
  acknowledgeIncidents,
  isAcknowledgeable,
  recordProblem,
} from '../../../warehouse/live/incidents.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { verdictOf } from '../status/verdict.ts';
import { collectAll } from './status.ts';
import type { CommandContext } from '../context.ts';

/** Acknowledges the failed jobs, refused months and warnings that `make status` lists. Prints what was acknowledged. */
export async function acknowledge(context: CommandContext): Promise<number> {
  const { config, out, now } = context;
  const { problems } = verdictOf(await collectAll(context));
  const session = await openRedis(config, 'acknowledge');
  const redis = openRedisClient(session.url, {
    connectionName: `headwind-acknowledge-${process.pid}`,
  });
  redis.on('error', () => undefined);
  try {
    // If no worker runs, the warnings of the last build are not recorded yet.
    for (const problem of problems.filter(isAcknowledgeable)) {
      await recordProblem(redis, problem, now());
    }
    const incidents = await acknowledgeIncidents(redis, now().toISOString());
    const lines = incidents.map(({ text, since }) => `Cleared: ${text} (since ${since})\n`);
    out.write(
      lines.join('') || 'Nothing to clear: no failed job, refused month or warning is listed.\n',
    );
    return 0;
  } finally {
    redis.disconnect();
    await session.close();
  }
}
