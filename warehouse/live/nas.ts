import type { Redis } from 'ioredis';
import { z } from 'zod';
import { NEWS_CHANNEL } from './news.ts';

/** The FAA's airport status in Redis, shared by worker and API. */

/** Kinds of traffic measures. */
const MEASURES = ['stop', 'delay', 'closure', 'departures', 'arrivals'] as const;

const program = z.object({
  airport: z.string(),
  /** `stop` and `delay` keep flights to the airport on the ground; `closure` stops all flights of the airport. */
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

/** An air traffic control measure that is in force at an airport (NAS: the FAA's National Airspace System). */
export type NasProgram = z.infer<typeof program>;

/** All measures in force at the time of the fetch. */
export type NasStatus = z.infer<typeof status>;

/** Key of the status as JSON. Changes are announced on the channel of the news. */
export const NAS_STATUS_KEY = 'hw:nas:status';

/** Parses the stored status; undefined if it is missing or cannot be read. */
export function readNasStatus(json: string | null): NasStatus | undefined {
  if (json === null) return undefined;
  try {
    return status.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/** Saves the status and notifies the API processes. */
export async function saveNasStatus(redis: Redis, value: NasStatus): Promise<void> {
  await redis.set(NAS_STATUS_KEY, JSON.stringify(value));
  await redis.publish(NEWS_CHANNEL, '');
}
