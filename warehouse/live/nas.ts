import type { Redis } from 'ioredis';
import { z } from 'zod';
import { NEWS_CHANNEL } from './news.ts';

/** What the worker and the API share of the FAA's airport status. */

/** What an airport may be under. */
const MEASURES = ['stop', 'delay', 'closure', 'departures', 'arrivals'] as const;

const program = z.object({
  airport: z.string(),
  /** `stop` and `delay` hold flights to the airport on the ground, `closure` all of its own. */
  kind: z.enum(MEASURES),
  /** 0 to 1; docs/features.md explains the scale. */
  severity: z.number().min(0).max(1),
  reason: z.string(),
});

const status = z.object({
  /** ISO in UTC. */
  fetchedAt: z.iso.datetime(),
  programs: z.array(program),
});

/** A measure of air traffic control in force at an airport. */
export type NasProgram = z.infer<typeof program>;

/** All measures in force when it was fetched. */
export type NasStatus = z.infer<typeof status>;

/** The status as JSON; changes are told on the channel of the news. */
export const NAS_STATUS_KEY = 'hw:nas:status';

/** The status as it is kept; `undefined` when there is none this code can read. */
export function readNasStatus(json: string | null): NasStatus | undefined {
  if (json === null) return undefined;
  try {
    return status.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/** Keeps the status and tells the APIs. */
export async function saveNasStatus(redis: Redis, kept: NasStatus): Promise<void> {
  await redis.set(NAS_STATUS_KEY, JSON.stringify(kept));
  await redis.publish(NEWS_CHANNEL, '');
}
