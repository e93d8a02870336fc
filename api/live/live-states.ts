import type { Logger } from 'pino';
import {
  recordState,
  pruneLiveArchive,
  savePart,
  type LiveState,
} from '../../warehouse/live/live-archive.ts';
import { limitLiveArchive } from '../../warehouse/live/live-archive-limit.ts';
import { versionsOnDisk } from '../../warehouse/store/disk.ts';
import { dateAt } from '../../warehouse/ground/dates.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { describeError } from '../redact.ts';

/** Archives a part of the live data. Returns the sha256 of the part, or undefined if the part could not be archived. */
export type ArchiveLivePart = (text: string | null) => Promise<string | null | undefined>;

/** Archives nothing; the default in processes that do not sign answers. */
export const notArchived: ArchiveLivePart = () => Promise.resolve(undefined);

/** Archives states of the live data. With an archived state, a signed answer can be computed again. */
export type LiveStates = {
  /**
   * Returns the current state; undefined if a part of the state is not archived. The object is new after every change.
   */
  current: () => LiveState | undefined;
  /** Archives a state and returns the id of the state; undefined if archiving fails. */
  record: (state: LiveState) => Promise<string | undefined>;
};

/**
 * Creates the function that archives parts of the live data in a folder. A failure is logged and does not affect
 * answers.
 */
export function createPartArchive(liveDir: string, log: Pick<Logger, 'warn'>): ArchiveLivePart {
  return (text) =>
    savePart(liveDir, text).catch((error: unknown) => {
      log.warn({ error: describeError(error) }, 'live data not archived');
      return undefined;
    });
}

export type LiveStatesDeps = {
  liveDir: string;
  storeDir: string;
  stores: { current: () => ScoreStore | undefined };
  /**
   * Each function returns the sha256 of the archived part in use; null if there is no data, undefined if the part is
   * not archived.
   */
  parts: {
    forecasts: () => string | null | undefined;
    news: () => {
      archived: { news: string | null | undefined; nas: string | null | undefined };
      newsAt: string | undefined;
    };
  };
  /** Maximum size of the archive in bytes. */
  maxBytes: number;
  /** If the disk has fewer free bytes than this, the archive is made smaller. */
  minFreeBytes: number;
  /** Version of the code that computes answers. */
  code: () => Promise<string>;
  now: () => Date;
  log: Pick<Logger, 'warn'>;
};

/** Interval at which the current state is archived even if no answer is signed, in ms. */
const RECORD_EVERY_MS = 5_000;

/** Archives each state of the live data. Deletes old states every day and when a new store is in use. */
export function openLiveStates(deps: LiveStatesDeps): LiveStates & { close: () => Promise<void> } {
  const { liveDir, storeDir, maxBytes, minFreeBytes, now, log } = deps;
  let state: LiveState | undefined;
  let recorded: { state: LiveState; id: Promise<string | undefined> } | undefined;
  let prunedFor: string | undefined;
  const current = () => {
    const next = readState(deps);
    if (next === undefined || state === undefined || !isSameState(next, state)) state = next;
    return state;
  };
  const record = (next: LiveState) => {
    if (recorded?.state === next) return recorded.id;
    const id = deps
      .code()
      .then((code) => recordState(liveDir, next, { at: now(), code }))
      .catch((error: unknown) => {
        log.warn({ error: describeError(error) }, 'live state not archived');
        recorded = undefined;
        return undefined;
      });
    recorded = { state: next, id };
    return id;
  };
  let running: Promise<unknown> = Promise.resolve();
  const recordAndPrune = async () => {
    const next = current();
    if (!next) return;
    await record(next);
    const occasion = `${next.store} ${dateAt(now())}`;
    if (occasion === prunedFor) return;
    await pruneLiveArchive(liveDir, await versionsOnDisk(storeDir), now());
    const days = await limitLiveArchive(liveDir, { maxBytes, minFreeBytes, now: now() });
    if (days.length > 0) {
      log.warn(
        { days, maxBytes, minFreeBytes },
        'removed live data of old days; answers given on those days cannot be computed again',
      );
    }
    prunedFor = occasion;
  };
  const timer = setInterval(() => {
    running = recordAndPrune().catch((error: unknown) => {
      log.warn({ error: describeError(error) }, 'live archive not pruned');
    });
  }, RECORD_EVERY_MS).unref();
  return {
    current,
    record,
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

function readState({ stores, parts }: LiveStatesDeps): LiveState | undefined {
  const store = stores.current()?.manifest.version;
  const forecasts = parts.forecasts();
  const { archived, newsAt = null } = parts.news();
  const { news, nas } = archived;
  const isArchived = forecasts !== undefined && news !== undefined && nas !== undefined;
  return store !== undefined && isArchived ? { store, forecasts, news, nas, newsAt } : undefined;
}

function isSameState(a: LiveState, b: LiveState): boolean {
  const isSameNews = a.news === b.news && a.nas === b.nas && a.newsAt === b.newsAt;
  return a.store === b.store && a.forecasts === b.forecasts && isSameNews;
}
