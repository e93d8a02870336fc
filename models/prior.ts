import type { Rates, ScoreStore } from '../warehouse/store/types.ts';
import { expit, logit } from '../warehouse/ground/log-odds.ts';
import type { FlightQuery } from './types.ts';

/**
 * The rates expected of a flight no history covers: the network's log-odds plus what origin, dest and carrier
 * each add to them. A code without history adds nothing. The marts build the priors of routes in the same way.
 */
export function priorRates(query: FlightQuery, store: ScoreStore): Rates {
  const groups = [
    store.groupRates('origin', query.origin),
    store.groupRates('dest', query.dest),
    store.groupRates('carrier', query.carrier),
  ];
  return combined(store.network, groups, store.network);
}

/** The rates expected of a carrier new to a route: the route's log-odds plus what the carrier adds elsewhere. */
export function carrierRates(route: Rates, query: FlightQuery, store: ScoreStore): Rates {
  return combined(route, [store.groupRates('carrier', query.carrier)], store.network);
}

/** `base` with the log-odds by which each group differs from the network. */
function combined(base: Rates, groups: (Rates | undefined)[], network: Rates): Rates {
  const rate = (key: keyof Rates) => {
    const added = groups.map((rates) => (rates ? logit(rates[key]) - logit(network[key]) : 0));
    return expit(added.reduce((sum, one) => sum + one, logit(base[key])));
  };
  return { delayedRate: rate('delayedRate'), cancelledRate: rate('cancelledRate') };
}
