import type { RequestListener } from 'node:http';
import inject from 'light-my-request';
import { createApp } from '../../../api/app.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import { withParts, type ProviderStore } from '../../../warehouse/store/parts.ts';
import { storeFilesOf } from '../../helpers/store-files.ts';
import { aPart } from '../../helpers/store-part.ts';
import { someDeps } from './app.ts';
import { explorerDeps } from './explorer-world.ts';

const airport = (iata: string, code: string, time_zone: string) => ({
  ...{ iata, name: `Airport ${iata}`, city: iata, country: code, country_code: code, time_zone },
  ...{ latitude: 10, longitude: iata.charCodeAt(0) },
});

const STATS = {
  ...{ flight_count: 100, completed_count: 100, delayed_count: 10, cancelled_count: 0 },
  ...{ delayed_min_sum: 400, delayed_rate: 0.1, cancelled_rate: 0 },
};

const HOME = storeFilesOf({
  airports: [
    airport('CDG', 'FR', 'Europe/Paris'),
    airport('HKG', 'HK', 'Asia/Hong_Kong'),
    airport('JFK', 'US', 'America/New_York'),
    airport('LAX', 'US', 'America/Los_Angeles'),
    airport('LHR', 'GB', 'Europe/London'),
    airport('NRT', 'JP', 'Asia/Tokyo'),
  ],
  airlines: [{ iata: 'DL', name: 'Delta Air Lines', country: 'United States' }],
  routes: [{ origin: 'JFK', dest: 'LAX', ...STATS }],
  route_carriers: [{ origin: 'JFK', dest: 'LAX', carrier: 'DL', ...STATS }],
  route_records: [{ first_month: 669, last_month: 671 }],
  flight_odds: [{ hour: -1, log_odds: 0, summer_log_odds: 0, winter_log_odds: 0 }],
});

export const HONG_KONG = {
  ...aPart('hkia', ['HKG', 'NRT']),
  ...{ title: 'Hong Kong International Airport', url: 'https://hk.example/', countries: ['HK'] },
};

/** Sends a request to pages whose store has the American record and the record of Hong Kong. */
export function aCoverageService(part: ProviderStore = HONG_KONG) {
  const store = openStore(withParts(HOME, [part]));
  const deps = someDeps({ ...explorerDeps(), stores: { current: () => store } });
  const handle = createApp(deps).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  return async (url: string, headers: Record<string, string> = {}) =>
    inject(listener, { url, headers: { accept: 'text/html', ...headers } });
}
