import type { ProviderStore } from '../../warehouse/store/parts.ts';
import { storeFilesOf } from './store-files.ts';

const STATS = {
  flight_count: 40,
  completed_count: 40,
  delayed_count: 4,
  cancelled_count: 0,
  delayed_min_sum: 160,
  delayed_rate: 0.1,
  cancelled_rate: 0,
};

/**
 * Creates the record of another provider. Cathay Pacific has `flights` flights on one route, and a tenth of them are
 * delayed. `logOdds` is the airline's log-odds of delay relative to the level.
 */
export function aPart(
  provider: string,
  route: [string, string],
  flights = 40,
  logOdds = 0,
): ProviderStore {
  const [origin, dest] = route;
  const stats = { ...STATS, flight_count: flights };
  const store = storeFilesOf({
    routes: [{ origin, dest, ...stats }],
    route_carriers: [{ origin, dest, carrier: 'CX', ...stats }],
    route_records: [{ first_month: 669, last_month: 671 }],
    flight_odds: [{ hour: -1, log_odds: logOdds, summer_log_odds: 0, winter_log_odds: 0 }],
    airlines: [{ iata: 'CX', name: 'Cathay Pacific', country: 'Hong Kong' }],
  });
  const facts = { attribution: `by ${provider}`, terms: 'open' };
  return { ...facts, store: { ...store, manifest: { ...store.manifest, provider } } };
}
