import type { Registry } from 'prom-client';
import { historyState, type HistoryState } from '../../warehouse/store/history-state.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { addGauge } from './gauge.ts';

/** What a process of the API answers from, asked at each scrape. */
export type Served = {
  store: () => ScoreStore | undefined;
  /** Whether the model of the store serves. */
  hasModel: (store: ScoreStore) => boolean;
  /** When each was last fetched (ISO); absent: never. */
  fetched: () => {
    forecasts?: string | undefined;
    news?: string | undefined;
    nas?: string | undefined;
  };
  isRedisUp: () => boolean;
  now: () => Date;
};

const HISTORY_STATES: readonly HistoryState[] = ['ok', 'old_flights', 'old_levels', 'old'];

/**
 * Tells the version and age of the store, its model, the newest months of its history, and the age of live inputs. Moments
 * are Unix times, as Prometheus wants them; what was never there has no series.
 */
export function addServedGauges(registry: Registry, served: Served): void {
  addStoreGauges(registry, served);
  addGauge(registry, {
    name: 'headwind_live_fetched_timestamp_seconds',
    help: 'When the live inputs in memory were last fetched.',
    labelNames: ['input'],
    collect() {
      this.reset();
      for (const [input, at] of Object.entries(served.fetched())) {
        if (at !== undefined) this.set({ input }, seconds(at));
      }
    },
  });
  addGauge(registry, {
    name: 'headwind_redis_up',
    help: '1 while the connection to Redis is ready for commands, 0 while it is not.',
    collect() {
      this.set(served.isRedisUp() ? 1 : 0);
    },
  });
}

function addStoreGauges(registry: Registry, { store, hasModel, now }: Served): void {
  const gauge = (name: string, help: string, read: (store: ScoreStore) => number | undefined) =>
    addGauge(registry, {
      name,
      help,
      collect() {
        const current = store();
        const value = current && read(current);
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  addGauge(registry, {
    name: 'headwind_store_up',
    help: '1 while there is a score store to answer from, 0 while there is none.',
    collect() {
      this.set(store() ? 1 : 0);
    },
  });
  addGauge(registry, {
    name: 'headwind_store_info',
    help: 'Always 1; names the versions of the score store and of its model being served.',
    labelNames: ['version', 'model'],
    collect() {
      this.reset();
      const manifest = store()?.manifest;
      if (!manifest) return;
      const { version, model } = manifest;
      this.set({ version, model: model?.version ?? '' }, 1);
    },
  });
  gauge('headwind_store_built_timestamp_seconds', 'When the store was built.', ({ manifest }) =>
    seconds(manifest.builtAt),
  );
  gauge('headwind_model_up', '1 while the model of the store serves, 0 while it does not.', (one) =>
    hasModel(one) ? 1 : 0,
  );
  gauge(
    'headwind_flights_month_timestamp_seconds',
    'Begin of the newest month of flights in the store.',
    ({ manifest }) => month(manifest.months.at(-1)),
  );
  gauge(
    'headwind_levels_month_timestamp_seconds',
    'Begin of the newest month of the delay-cause table in the store.',
    ({ manifest }) => month(manifest.lastLevelMonth),
  );
  addGauge(registry, {
    name: 'headwind_history_state',
    help: 'How old the history is: 1 for the state it is in, 0 for the others.',
    labelNames: ['state'],
    collect() {
      this.reset();
      const manifest = store()?.manifest;
      if (!manifest) return;
      const newest = { flights: manifest.months.at(-1), levels: manifest.lastLevelMonth };
      const current = historyState(newest, now());
      for (const state of HISTORY_STATES) this.set({ state }, state === current ? 1 : 0);
    },
  });
}

function month(name: string | undefined): number | undefined {
  return name === undefined ? undefined : seconds(`${name}-01T00:00:00Z`);
}

function seconds(iso: string): number {
  return Date.parse(iso) / 1000;
}
