import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { LiveScores } from '../../api/server/live-scores.ts';
import { createNewsStorage } from '../../jobs/wiring/news-storage.ts';
import { isNotable } from '../../pipelines/watches/scan.ts';
import { saveNasStatus } from '../../warehouse/live/nas.ts';
import type { NewsItem } from '../../warehouse/live/news.ts';
import type { CurrentScore, WatchedFlight } from '../../warehouse/live/watches.ts';
import { saveToRedis } from '../../warehouse/store/redis.ts';
import type { StoreFiles } from '../../warehouse/store/store-manifest.ts';
import { NOTABLE } from './add-watches.ts';
import { saveWeather } from './weather.ts';

/** The service of a day: its Redis, two versions of its store, and the scores that the API would give. */
export type DayWorld = {
  redis: Redis;
  scores: LiveScores;
  /** Replaces the clock of all processes. */
  setClock: (at: Date) => Promise<void>;
  /** The day, `YYYY-MM-DD`. */
  date: string;
  airports: readonly string[];
  flights: readonly WatchedFlight[];
  events: readonly DayEvent[];
  /** The store in the morning, and the store with a new month. */
  stores: readonly [StoreFiles, StoreFiles];
};

/** An event of the day: its time in UTC, and how it changes the data. */
export type DayEvent = {
  name: string;
  time: string;
  change: (world: DayWorld, now: Date) => Promise<void>;
};

/** The events of a whole day. */
export const DAY_EVENTS: readonly DayEvent[] = [
  { name: 'forecast of a storm', time: '06:10', change: forecast('storm') },
  { name: 'ground stops', time: '11:10', change: saveStatus('stop') },
  { name: 'no more ground stops', time: '11:30', change: saveStatus(undefined) },
  { name: 'news of a strike', time: '14:10', change: reportStrike },
  { name: 'end of the strike', time: '16:10', change: endStrike },
  { name: 'forecast of calm weather', time: '18:10', change: forecast('calm') },
  { name: 'a new month', time: '22:10', change: (world) => publish(world, 1) },
];

/** Data of the early morning. */
const MORNING: DayEvent[] = [
  { name: 'store', time: '00:10', change: (world) => publish(world, 0) },
  { name: 'forecasts', time: '00:10', change: forecast('calm') },
  { name: 'status', time: '00:10', change: saveStatus(undefined) },
  { name: 'news', time: '00:10', change: forgetNews },
];

/** The scores of all flights; undefined for flights that cannot be scored. */
type Scores = (CurrentScore | undefined)[];

/**
 * The scores of all flights in the morning and after each step. An event has two steps: the clock reaches its time, and
 * its data arrive.
 */
export type DayScores = { morning: Scores; steps: Scores[] };

/** Runs a day without workers, and records all scores. */
export async function rehearseDay(world: DayWorld): Promise<DayScores> {
  await startMorning(world);
  const morning = await scoreAll(world);
  const steps: Scores[] = [];
  for (const event of world.events) {
    await world.setClock(timeOf(world, event));
    steps.push(await scoreAll(world));
    await changeData(world, event);
    steps.push(await scoreAll(world));
  }
  return { morning, steps };
}

/** Makes an event happen, and waits until the scores of this process use the new data. */
export async function changeData(world: DayWorld, event: DayEvent): Promise<void> {
  const former = world.scores.dataParts();
  await event.change(world, timeOf(world, event));
  while (world.scores.dataParts().every((part, at) => part === former[at])) await sleep(10);
}

/** The time of an event as an instant. */
export function timeOf({ date }: DayWorld, { time }: DayEvent): Date {
  return new Date(`${date}T${time}:00Z`);
}

/** The message that the watchers of a flight must get after a step, and the score that they know afterwards. */
export type ExpectedStep = {
  message?: { score: number; previousScore: number };
  known: number | undefined;
};

/** Returns what the watchers of a flight must get after each step. */
export function expectSteps({ morning, steps }: DayScores, flight: number): ExpectedStep[] {
  let known = morning[flight];
  return steps.map((scores) => {
    const current = scores[flight];
    if (!known || !current || !isNotable(NOTABLE, known, current)) return { known: known?.score };
    const message = { score: current.score, previousScore: known.score };
    known = current;
    return { message, known: known.score };
  });
}

/** Restores the data of the early morning. */
export async function startMorning(world: DayWorld): Promise<void> {
  for (const event of MORNING) {
    await world.setClock(timeOf(world, event));
    const { scores } = world;
    const isLoaded = () => scores.store()?.manifest.version === world.stores[0].manifest.version;
    if (event.name === 'store' && isLoaded()) continue;
    await changeData(world, event);
  }
}

async function scoreAll({ scores, flights }: DayWorld): Promise<Scores> {
  const all: Scores = [];
  for (const flight of flights) all.push(await scores.score(flight));
  return all;
}

function forecast(weather: 'calm' | 'storm') {
  return ({ redis, airports }: DayWorld, now: Date) =>
    saveWeather(redis, weather, { airports, now });
}

/**
 * Returns a function that saves the airport status. With `kind`, every other airport has a ground stop. Without `kind`,
 * no airport has one.
 */
function saveStatus(kind: 'stop' | undefined) {
  return ({ redis, airports }: DayWorld, now: Date) =>
    saveNasStatus(redis, {
      fetchedAt: now.toISOString(),
      programs: airports
        .filter((_, at) => kind && at % 2 === 1)
        .map((airport) => ({ airport, kind: kind!, severity: 0.9, reason: 'thunderstorms' })),
    });
}

/** Reports a strike on the day of the world, at the airports without ground stops. */
async function reportStrike({ redis, airports, date }: DayWorld, now: Date): Promise<void> {
  const strike: NewsItem = {
    ...{ id: 'strike', title: 'Strike', summary: 'Ground staff strike.', source: 'Agency' },
    ...{ url: 'https://news.example/strike', publishedAt: now.toISOString() },
    ...{ eventType: 'strike', impact: 'high', severity: 0.9 },
    days: { from: date, until: date },
    touches: { airports: airports.filter((_, at) => at % 2 === 0), carriers: [], countries: [] },
  };
  await createNewsStorage(redis).changeItems(() => [strike]);
}

async function endStrike({ redis }: DayWorld, now: Date): Promise<void> {
  const endedAt = now.toISOString();
  await createNewsStorage(redis).changeItems((items) =>
    items.map((item) => ({ ...item, endedAt })),
  );
}

async function forgetNews({ redis }: DayWorld): Promise<void> {
  await createNewsStorage(redis).changeItems(() => []);
}

async function publish({ redis, stores }: DayWorld, which: 0 | 1): Promise<void> {
  await saveToRedis(redis, stores[which]);
}
