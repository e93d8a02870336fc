import { DAY_MS, dateAt } from '../../../warehouse/ground/dates.ts';

const DAYS_AHEAD = 30;

/** What a person needs for a first answer. */
export function bannerText(facts: {
  address: string;
  /** The one-time address of the operators' pages. */
  operate: string;
  key: string;
  offline: boolean;
  /** Whether the pages for people are served. */
  explorer: boolean;
  now: Date;
}): string {
  const { address, operate, key, offline, explorer, now } = facts;
  const date = dateAt(now.getTime() + DAYS_AHEAD * DAY_MS);
  const query = `origin=JFK&dest=LAX&airline=DL&date=${date}&api_key=${key}`;
  return `
Headwind is up: ${address}

${explorer ? `  Explore    ${address}/\n` : ''}  Demo key   ${key}
  Try it     curl '${address}/api/score?${query}'
  Interface  ${address}/docs
  Operate    ${operate}
             (works once, within a day; later log in with a key of make admin-key)
  Stop       Ctrl-C

${offline ? 'Offline: no weather forecasts and no news are fetched; without them scores use typical weather.' : 'Weather forecasts and news are being fetched; without them scores use typical weather.'}

`;
}
