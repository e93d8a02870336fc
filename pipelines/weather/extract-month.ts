import path from 'node:path';
import { addDays, DAY_MS, daysBetween, firstDay } from '../../warehouse/ground/dates.ts';
import { SourceOutageError, SourceRefusedError } from '../errors.ts';
import type { MonthResult } from '../flights/types.ts';
import type { GuardedFetch } from '../fetch-guarded.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { answerError, pauseReason, type CallBudget } from './call-budget.ts';
import { dayValues } from './day-values.ts';
import { hoursOf, zoneContradiction } from './zone-check.ts';
import { parseObservations } from './observations.ts';
import { archiveUrl, callWeight, PLACES_PER_CALL } from './open-meteo-request.ts';
import { parseOpenMeteo } from './open-meteo.ts';
import type { WeatherPlace, WeatherSource } from './types.ts';
import type { AirportDays, WeatherMonthRef } from '../../warehouse/lake/weather-lake.ts';

export type WeatherMonthRequest = {
  /** `YYYY-MM`. */
  month: string;
  source: WeatherSource;
  /** Fetches the month even if the lake has it. For a file, accepts the time zone even if the data contradicts it. */
  force: boolean;
};

export type WeatherMonthDeps = {
  offline: boolean;
  apiKey?: string;
  fetch: GuardedFetch;
  budget: CallBudget;
  /** Airports of the published store that have flights. */
  places: () => Promise<WeatherPlace[]>;
  /** Returns a file's text, decompressed. */
  readText: (file: string) => Promise<string>;
  /** Airports of the month in the lake; undefined when the month is missing, damaged, or written by other code. */
  airportsInLake: (ref: WeatherMonthRef) => Promise<string[] | undefined>;
  /** Replaces the month by these days; returns its number of airport-days. */
  write: (ref: WeatherMonthRef, days: AirportDays) => Promise<number>;
  /** Pause between two requests. */
  pauseMs: number;
  sleep: (ms: number) => Promise<unknown>;
  now: () => Date;
};

/**
 * Time after the end of a day until the archive has the whole day. A month is fetched only when the archive also has
 * the day after the month.
 */
const ARCHIVE_LAG_MS = 5 * DAY_MS;

/** The name of a source in the lake. */
export function weatherSourceName(source: WeatherSource): string {
  if (source.kind === 'url') return 'archive';
  return path.basename(source.path).replaceAll(/[^\w.-]/g, '_');
}

/**
 * Extracts a month of weather into the lake. The archive supplies every airport with flights, a file only its own
 * airports. Throws SourceOutageError for temporary failures, SourceRefusedError and SourceFormatError for permanent
 * ones.
 */
export async function extractWeatherMonth(
  { month, source, force }: WeatherMonthRequest,
  deps: WeatherMonthDeps,
  progress: Progress,
): Promise<MonthResult> {
  const ref = { source: weatherSourceName(source), month };
  const skipped = { month, rowsLoaded: 0, rowsRejected: 0 };
  if (source.kind === 'url' && !isComplete(month, deps.now())) {
    return { ...skipped, outcome: 'absent', why: 'not complete in the archive yet' };
  }
  const places = await deps.places();
  if (places.length === 0) {
    throw new SourceRefusedError(
      ref.source,
      'no score store is published, so there are no airports to fetch weather for',
    );
  }
  if (source.kind === 'url' && !force) {
    const airportsInMonth = new Set((await deps.airportsInLake(ref)) ?? []);
    if (places.every(({ airport }) => airportsInMonth.has(airport))) {
      return {
        ...skipped,
        outcome: 'unchanged',
        why: 'the lake already has every airport of this month',
      };
    }
  }
  const days =
    source.kind === 'url'
      ? await fromArchive(source.base, month, places, deps, progress)
      : await fromFile(source, places, deps, force);
  const hasMonth = [...days.values()].some((airportDays) =>
    airportDays.some(({ date }) => date.startsWith(month)),
  );
  if (!hasMonth) {
    return { ...skipped, outcome: 'absent', why: 'the source has no day of this month' };
  }
  return { ...skipped, outcome: 'done', rowsLoaded: await deps.write(ref, days) };
}

async function fromArchive(
  base: string,
  month: string,
  places: WeatherPlace[],
  deps: WeatherMonthDeps,
  progress: Progress,
): Promise<AirportDays> {
  if (deps.offline) throw new SourceRefusedError(base, 'not fetched: OFFLINE=1 is set');
  // Also requests the day before and the day after. An answer has one UTC offset for all its hours, so its times may
  // differ from the local clock by an hour.
  const span = { from: addDays(`${month}-01`, -1), to: firstDay(month, 1) };
  const spanDays = daysBetween(span.from, span.to) + 1;
  const days: AirportDays = new Map();
  for (let from = 0; from < places.length; from += PLACES_PER_CALL) {
    if (from > 0) await deps.sleep(deps.pauseMs);
    const batch = places.slice(from, from + PLACES_PER_CALL);
    const pausedMs = await deps.budget.pausedMs();
    if (pausedMs > 0) {
      const why = pauseReason(pausedMs, deps.now());
      throw new SourceOutageError(base, why, { retryAfterMs: pausedMs });
    }
    if (!(await deps.budget.take(callWeight(batch.length, spanDays)))) {
      throw new SourceRefusedError(base, "today's calls are used up; try again tomorrow (UTC)");
    }
    const url = archiveUrl(base, batch, span, deps.apiKey);
    const answer = await deps.fetch({ url });
    if (answer.status !== 200) throw await answerError(url, answer, deps);
    const batchDays = parseOpenMeteo(answer.body.toString(), batch);
    for (const [index, { airport }] of batch.entries()) days.set(airport, batchDays[index] ?? []);
    progress(from + batch.length, places.length, `${month} airports`);
  }
  return days;
}

/** Skips airports without flights, because their time zone is unknown here and their weather is not needed. */
async function fromFile(
  { path: file, zone }: WeatherSource & { kind: 'file' },
  places: WeatherPlace[],
  { readText }: WeatherMonthDeps,
  force: boolean,
): Promise<AirportDays> {
  const hours = parseObservations(path.basename(file), await readText(file));
  const stations = places.flatMap((place) => {
    const fileHours = hours.get(place.airport);
    return fileHours === undefined ? [] : [{ place, clockHours: fileHours }];
  });
  if (stations.length === 0) {
    const codes = [...hours.keys()].join(', ');
    throw new SourceRefusedError(
      file,
      `none of its airports (${codes}) has flights in the published store`,
    );
  }
  const contradiction = force ? undefined : zoneContradiction(stations, zone);
  if (contradiction !== undefined) throw new SourceRefusedError(file, contradiction);
  return new Map(
    stations.map((station) => [
      station.place.airport,
      dayValues(hoursOf(station, zone), station.place.timeZone),
    ]),
  );
}

function isComplete(month: string, now: Date): boolean {
  return Date.parse(firstDay(month, 1)) + DAY_MS + ARCHIVE_LAG_MS <= now.getTime();
}
