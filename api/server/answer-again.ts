import type { Logger } from 'pino';
import { assembleRows } from '../../models/assemble.ts';
import { prepareStore } from '../../models/prepare-store.ts';
import { parseForecasts, type Forecast } from '../../warehouse/live/forecasts.ts';
import { readPart, type ArchivedState } from '../../warehouse/live/live-archive.ts';
import { readVersion, versionsOnDisk } from '../../warehouse/store/disk.ts';
import { openVerifiedStore } from '../../warehouse/store/model.ts';
import type { StoreFiles } from '../../warehouse/store/store-manifest.ts';
import { scoringAnswers } from '../app.ts';
import { readQuery } from '../call.ts';
import type { ScoringDeps } from '../deps.ts';
import { createFlightEvents } from '../live/live-news.ts';
import { createLiveInputs } from '../live/live-inputs.ts';
import { newsStateOf, type NewsState } from '../live/news-watch.ts';
import { createAssess } from '../scoring/assess.ts';
import { createStoreModels } from '../scoring/store-models.ts';

/** A call that was answered in the past. */
export type FormerCall = {
  /** Path and parameters, without the key: `/api/score?origin=JFK&…`. */
  request: string;
  at: Date;
  store: string;
  /** The live data behind the answer. Undefined if the answer used neither forecasts nor news nor airport status. */
  live: ArchivedState | undefined;
  /**
   * Version of the model behind the answer. Null if the answer used no model. Absent if it used the model of the store.
   */
  model?: string | null;
};

/** The answer cannot be computed again, because data are no longer stored or the endpoint cannot repeat answers. */
export class NotRepeatableError extends Error {
  readonly isFinal = true;
  override readonly name = 'NotRepeatableError';
}

/** Accepts every call and counts none. */
const KEYS: ScoringDeps['keys'] = {
  admit: () =>
    Promise.resolve({
      ...{ verdict: 'admitted', monthlyLimit: 1, monthCount: 0, prefix: '', isAdmin: false },
    }),
  refund: () => Promise.resolve(),
  usage: () => Promise.reject(new NotRepeatableError('API keys are not accepted here')),
  create: () => Promise.reject(new NotRepeatableError('keys are not created here')),
  setActive: () => Promise.resolve(false),
  ping: () => Promise.resolve(),
};

/** Folders with the archived stores and live data. */
type ArchiveDeps = { storeDir: string; liveDir: string; log: Logger };

/** Computes the body of a past answer again, from the archived store and live data. */
export async function answerAgain(
  call: FormerCall,
  { storeDir, liveDir, log }: ArchiveDeps,
): Promise<string> {
  const files = withModel(await readStore(storeDir, call.store), call.model);
  const live = await readLive(liveDir, call.live);
  const store = openVerifiedStore(files);
  await prepareStore(store);
  const now = () => call.at;
  const models = createStoreModels(log, { now });
  try {
    await models.prepare(store, files);
    const stores = { current: () => store };
    const events = createFlightEvents({ feed: { current: () => live.news }, stores, now });
    const forecast = (airport: string) => live.forecasts.get(airport);
    return await answerCall(call, {
      ...{ stores, models, now, keys: KEYS },
      assess: createAssess({ models, assemble: assembleRows, log }),
      liveInputs: createLiveInputs({ live: { forecast }, danger: events.danger, now }),
      flightNews: events.flightNews,
      eventSources: events.eventSources,
      signatures: {
        sign: () => Promise.resolve(''),
        jwks: () => ({ keys: [], revoked: [] }),
      },
    });
  } finally {
    await models.close();
  }
}

async function answerCall({ request }: FormerCall, deps: ScoringDeps): Promise<string> {
  const [path = '', params = ''] = request.split(/\?(.*)/s);
  const answer = scoringAnswers(deps).get(path);
  if (!answer) {
    throw new NotRepeatableError(
      `Answers of ${path} cannot be computed again: they use data that are not archived.`,
    );
  }
  const { signed: _, ...query } = readQuery(params);
  const text = await answer({
    query: { ...query, api_key: 'any' },
    get: () => '',
    state: { requestId: '' },
    set: () => undefined,
    res: {},
  });
  return text ?? '';
}

async function readStore(storeDir: string, version: string): Promise<StoreFiles> {
  const versions = await versionsOnDisk(storeDir);
  if (versions.includes(version)) return readVersion(storeDir, version);
  throw new NotRepeatableError(
    `The store ${version} is gone. The stored versions are: ${versions.join(', ') || 'none'}.`,
  );
}

/** Returns the store with the model that computed the answer: the store's model, its fallback model or no model. */
function withModel({ manifest, files }: StoreFiles, model: string | null | undefined): StoreFiles {
  const { model: entry, fallback, ...content } = manifest;
  if (model === undefined || model === entry?.version) return { manifest, files };
  if (model === null) return { manifest: content, files };
  if (fallback?.version === model) return { manifest: { ...content, model: fallback }, files };
  throw new NotRepeatableError(`The store ${manifest.version} has no model ${model}.`);
}

type LiveData = { forecasts: Map<string, Forecast>; news: NewsState };

async function readLive(liveDir: string, live: ArchivedState | undefined): Promise<LiveData> {
  const read = async (name: 'forecasts' | 'news' | 'nas') => {
    const hash = live?.[name] ?? null;
    if (hash === null) return null;
    const text = await readPart(liveDir, hash);
    if (text !== undefined) return text;
    throw new NotRepeatableError(
      `The ${PART_NAMES[name]} of the live data ${live?.id} are gone or damaged (${hash}).`,
    );
  };
  const [forecasts, news, nas] = [await read('forecasts'), await read('news'), await read('nas')];
  return {
    forecasts: forecasts === null ? new Map() : parseForecasts(forecasts),
    news: newsStateOf({ news, nas, newsAt: live?.newsAt ?? null }),
  };
}

const PART_NAMES = { forecasts: 'forecasts', news: 'news', nas: 'measures of airports' };
