import type { Rates, ScoreStore } from '../warehouse/store/types.ts';
import { expit, logit } from './log-odds.ts';
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
  const combined = (key: keyof Rates) => {
    const base = logit(store.network[key]);
    const added = groups.map((rates) => (rates ? logit(rates[key]) - base : 0));
    return expit(added.reduce((sum, one) => sum + one, base));
  };
  return { delayedRate: combined('delayedRate'), cancelledRate: combined('cancelledRate') };
}
