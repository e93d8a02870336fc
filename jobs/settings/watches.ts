import { z } from 'zod';

export type WatchConfig = Readonly<{
  /** Hosts (`host` or `host:port`) that may receive messages although they are internal or use plain HTTP. */
  watchHosts: readonly string[];
}>;

/** The environment variables of watches. */
export const WATCH_SETTINGS = {
  WATCH_HOSTS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((host) => host.trim().toLowerCase())
        .filter((host) => host !== ''),
    )
    .refine((hosts) => hosts.every((host) => URL.parse(`http://${host}`)?.host === host), {
      error: ({ input }) =>
        `WATCH_HOSTS "${String(input)}" is not a list of hosts such as hooks.internal:8080`,
    }),
};

/** Returns the watches' part of the configuration. */
export function watchesOf({ WATCH_HOSTS }: { WATCH_HOSTS: readonly string[] }): WatchConfig {
  return { watchHosts: Object.freeze(WATCH_HOSTS) };
}
