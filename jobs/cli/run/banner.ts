import { DAY_MS, dateAt } from '../../../warehouse/ground/dates.ts';

const DAYS_AHEAD = 30;

/** Formats the text that `make run` prints once everything runs. */
export function bannerText(facts: {
  address: string;
  /** One-time address of the operators' pages. */
  operate: string;
  key: string;
  offline: boolean;
  /** Whether the pages for travellers are served. */
  explorer: boolean;
  now: Date;
}): string {
  const { address, operate, key, offline, explorer, now } = facts;
  const date = dateAt(now.getTime() + DAYS_AHEAD * DAY_MS);
  const query = `origin=JFK&dest=LAX&airline=DL&date=${date}&api_key=${key}`;
  return `
Headwind is running at ${address}

${explorer ? `  Explore    ${address}/\n` : ''}  Demo key   ${key}
  Try it     curl '${address}/api/score?${query}'
  API docs   ${address}/docs
  Operate    ${operate}
             (this link works once, within a day; later, log in with a key from make admin-key)
  Stop       Ctrl-C

${offline ? 'Offline: weather forecasts and news are not fetched, so scores use typical weather.' : 'Weather forecasts and news are being fetched; until they arrive, scores use typical weather.'}

`;
}
