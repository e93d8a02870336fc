import type { Rates, ScoreStore } from '../warehouse/store/types.ts';
import { expit, logit } from '../warehouse/ground/log-odds.ts';
import type { UndatedFlight } from './same-flight.ts';

/**
 * Returns the expected rates of a flight without history: the network's log-odds plus the differences of origin, dest
 * and carrier from the network. An airport or airline without history adds nothing. The SQL that builds the priors of
 * routes uses the same rule.
 */
export function priorRates(query: UndatedFlight, store: ScoreStore): Rates {
  const groups = [
    store.groupRates('origin', query.origin),
    store.groupRates('dest', query.dest),
    store.groupRates('carrier', query.carrier),
  ];
  return combineRates(store.network, groups, store.network);
}

/**
 * Returns the expected rates of a carrier that is new to a route: the route's log-odds plus the carrier's difference
 * from the network.
 */
export function carrierRates(route: Rates, query: UndatedFlight, store: ScoreStore): Rates {
  return combineRates(route, [store.groupRates('carrier', query.carrier)], store.network);
}

/** Adds to `base` the log-odds by which each group differs from the network. */
function combineRates(base: Rates, groups: (Rates | undefined)[], network: Rates): Rates {
  const rate = (key: keyof Rates) => {
    const differences = groups.map((rates) =>
      rates ? logit(rates[key]) - logit(network[key]) : 0,
    );
    return expit(differences.reduce((sum, one) => sum + one, logit(base[key])));
  };
  return { delayedRate: rate('delayedRate'), cancelledRate: rate('cancelledRate') };
}
