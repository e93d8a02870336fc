import type { Registry } from 'prom-client';
import { historyState, type HistoryState } from '../../warehouse/store/history-state.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { addGauge } from './process-registry.ts';

/** State of an API process. Metrics read this state at each scrape. */
export type ServedState = {
  store: () => ScoreStore | undefined;
  /** Returns whether the model of the store is in use. */
  hasModel: (store: ScoreStore) => boolean;
  /** Returns the state of the imported model; undefined without an imported model. */
  importedState: () =>
    | Readonly<{ state: string; failures: number; fallbackAnswers: number }>
    | undefined;
  /** Returns the time (ISO) at which each input was last fetched. Inputs that were never fetched are absent. */
  fetchTimes: () => {
    forecasts?: string | undefined;
    news?: string | undefined;
    nas?: string | undefined;
  };
  isRedisUp: () => boolean;
  now: () => Date;
};

const HISTORY_STATES: readonly HistoryState[] = ['ok', 'old_flights', 'old_levels', 'old'];

/**
 * Adds gauges for the store, the newest months of the history, the models and the age of live inputs. Times are Unix
 * times, as Prometheus expects. Unknown values are left out.
 */
export function addServedGauges(registry: Registry, served: ServedState): void {
  addStoreGauges(registry, served);
  addImportedGauges(registry, served);
  addGauge(registry, {
    name: 'headwind_live_fetched_timestamp_seconds',
    help: 'When the live inputs in memory were last fetched.',
    labelNames: ['input'],
    collect() {
      this.reset();
      for (const [input, at] of Object.entries(served.fetchTimes())) {
        if (at !== undefined) this.set({ input }, toUnixSeconds(at));
      }
    },
  });
  addGauge(registry, {
    name: 'headwind_redis_up',
    help: '1 while the connection to Redis is ready for commands, otherwise 0.',
    collect() {
      this.set(served.isRedisUp() ? 1 : 0);
    },
  });
}

function addImportedGauges(registry: Registry, { importedState }: ServedState): void {
  addGauge(registry, {
    name: 'headwind_imported_model_up',
    help: '1 while the imported model answers, 0 while the model trained here answers instead.',
    collect() {
      const imported = importedState();
      if (imported) this.set(imported.state === 'serving' ? 1 : 0);
      else this.remove();
    },
  });
  addGauge(registry, {
    name: 'headwind_imported_model_failures',
    help: 'Failed calls of the imported model since the process started.',
    collect() {
      const imported = importedState();
      if (imported) this.set(imported.failures);
      else this.remove();
    },
  });
  addGauge(registry, {
    name: 'headwind_imported_model_fallback_answers',
    help: 'Answers of the model trained here instead of the imported model, since the process started.',
    collect() {
      const imported = importedState();
      if (imported) this.set(imported.fallbackAnswers);
      else this.remove();
    },
  });
}

function addStoreGauges(registry: Registry, { store, hasModel, now }: ServedState): void {
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
    help: '1 while a score store is loaded, otherwise 0.',
    collect() {
      this.set(store() ? 1 : 0);
    },
  });
  addGauge(registry, {
    name: 'headwind_store_info',
    help: 'Always 1; the labels are the versions of the current score store and its model.',
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
    toUnixSeconds(manifest.builtAt),
  );
  gauge('headwind_model_up', '1 while the model of the store is in use, otherwise 0.', (current) =>
    hasModel(current) ? 1 : 0,
  );
  gauge(
    'headwind_flights_month_timestamp_seconds',
    'Start of the newest month of flights in the store.',
    ({ manifest }) => monthStartSeconds(manifest.months.at(-1)),
  );
  gauge(
    'headwind_levels_month_timestamp_seconds',
    'Start of the newest month of the delay-cause table in the store.',
    ({ manifest }) => monthStartSeconds(manifest.lastLevelMonth),
  );
  addGauge(registry, {
    name: 'headwind_history_state',
    help: '1 for the state that the history is in, 0 for each other state.',
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

function monthStartSeconds(name: string | undefined): number | undefined {
  return name === undefined ? undefined : toUnixSeconds(`${name}-01T00:00:00Z`);
}

function toUnixSeconds(iso: string): number {
  return Date.parse(iso) / 1000;
}
