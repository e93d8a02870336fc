import { healthAnswer } from '../../routes/health.ts';
import type { Endpoint } from '../endpoint.ts';
import type { StatusData } from '../views/status/status-page.ts';

/** Data of the status page: the health of the service and the age of its data. */
export const statusEndpoint: Endpoint = {
  path: '/explorer/status',
  restsOn: 'now',
  answer: async (_query, deps): Promise<StatusData> => {
    const store = deps.stores.current();
    return {
      health: await healthAnswer(deps),
      store: store ? { version: store.manifest.version, built_at: store.manifest.builtAt } : null,
      model: (store && deps.models.versionFor(store)) ?? null,
      forecasts_at: deps.forecastsAt() ?? null,
    };
  },
};
