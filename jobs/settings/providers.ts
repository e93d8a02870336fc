import { z } from 'zod';
import { SEARCHED_PROVIDERS } from '../../pipelines/providers/index.ts';
import { isCron, OFF } from '../../warehouse/ground/cron.ts';
import { isBaseUrl } from './kinds.ts';

/** Names of the settings of a provider: its address, and the times of its schedule. */
function settingsOf(provider: string) {
  const name = provider.toUpperCase();
  return { url: `${name}_BASE_URL`, schedule: `SCHEDULE_${name}` };
}

/** The environment variables of the providers. They are derived from the list of providers. */
export const PROVIDER_SETTINGS = z.object(
  Object.fromEntries(
    SEARCHED_PROVIDERS.flatMap(({ name, address }) => {
      const { url, schedule } = settingsOf(name);
      return [
        [
          url,
          z
            .string()
            .default(address)
            .refine(isBaseUrl, `${url} is not a plain http:// or https:// address`),
        ],
        [
          schedule,
          z
            .string()
            .default(OFF)
            .refine((text) => text === OFF || isCron(text), {
              error: ({ input }) => `${schedule} "${input}" is neither a cron expression nor off`,
            }),
        ],
      ];
    }),
  ),
);

export type ProviderConfig = Readonly<{
  /** Addresses for searches of new figures, by provider. Only providers that can be searched have an address. */
  providerUrls: Readonly<Record<string, string>>;
  /** Times of the searches, for each of these providers: a cron expression, or `off`. */
  providerTimes: Readonly<Record<string, string>>;
}>;

/** Returns the configuration of the providers from parsed settings. */
export function providersOf(settings: Record<string, string>): ProviderConfig {
  const pick = (kind: 'url' | 'schedule') =>
    Object.freeze(
      Object.fromEntries(
        SEARCHED_PROVIDERS.map(({ name }) => [name, settings[settingsOf(name)[kind]] ?? OFF]),
      ),
    );
  return { providerUrls: pick('url'), providerTimes: pick('schedule') };
}
