import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreFiles } from '../../warehouse/store/store-manifest.ts';
import type { Flight } from '../api/synthetic-store.ts';
import type { Service } from './service.ts';

/**
 * A way to make an alert fire and clear. `start` may return a function that stops the harm. This function runs before
 * `repair`.
 */
export type Harm = {
  /** Starts the harm. Absent if the alert already fires because of the service's start or of the previous harm. */
  start?: () => Promise<Stop | void>;
  /** Another alert that fires and clears with the same harm. */
  alsoFires?: string;
  repair?: () => Promise<void>;
  /** Runs when the alert has cleared. */
  cleanUp?: () => Promise<void>;
};

/** Stops a harm. */
export type Stop = () => Promise<void>;

/** The harmed service, with functions that call it and publish a store. */
export type World = {
  service: Service;
  /** Calls `/api/score` with the key; returns the status. */
  call: (key: string) => Promise<number>;
  files: StoreFiles;
  /** A flight of the store. */
  flight: Flight;
  publish: (store: StoreFiles) => Promise<void>;
};

/** Repeats `work` until the returned function is called. */
export function repeat(work: () => Promise<unknown>, pauseMs: number): Stop {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await work();
      await sleep(pauseMs);
    }
  })();
  return async () => {
    stopping.abort();
    await running;
  };
}
