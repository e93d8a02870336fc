import path from 'node:path';
import { logit } from '../../../warehouse/ground/log-odds.ts';
import { round, sum } from '../../../warehouse/ground/numbers.ts';
import { fileSha256, sha256 } from '../../../warehouse/ground/hashes.ts';
import { degreesEast } from '../../../models/scheduled-time.ts';
import { fitRidge, solve } from '../../../models/train/ridge.ts';
import { distanceKm } from '../../../warehouse/ground/distance.ts';
import { table } from '../tables.ts';
import {
  CORRELATION_FILES,
  FLIGHT_FILES,
  readCorrelations,
  readDelayGroups,
  readRouteTimes,
  type Correlation,
  type DelayGroup,
  type RouteTime,
  DEPARTURE_MINUTES,
  EARLY_MINUTES,
} from './connection-flights.ts';
import { saveText } from './save-weather.ts';

const PARAMETERS = path.join(import.meta.dirname, '../../../models/connections.json');

/** A straight line: log-odds of being later than `minutes` = `intercept` + `slope` × log-odds of another delay. */
type Line = { minutes: number; intercept: number; slope: number };

/**
 * Fits the parameters of connections, except the distribution of arrivals. Prints the fit and, with `write`, saves it.
 * - `early` divides the flights that are less than 15 minutes late.
 * - `departure` derives departures from arrivals.
 * - Each correlation is between the normal scores of two delays. The two delays are the departure and the arrival of
 *   one flight, or an arrival and a later departure at one airport on one day.
 */
export async function fitConnections(dataDir: string, write: boolean): Promise<void> {
  const groups = await readDelayGroups(dataDir);
  const early = EARLY_MINUTES.map((minutes, at) =>
    lineOf(minutes, groups, {
      trials: ({ completed, late }) => completed - (late[0] as number),
      successes: ({ early }) => early[at] as number,
      known: ({ completed, late }) => share(late[0] as number, completed),
    }),
  );
  const departure = DEPARTURE_MINUTES.map((minutes, at) =>
    lineOf(minutes, groups, {
      trials: ({ departed }) => departed,
      successes: ({ departedLate }) => departedLate[at] as number,
      known: ({ completed, arrivedLate }) => share(arrivedLate[at] as number, completed),
    }),
  );
  printLines('arrivals later than these minutes, among flights less than 15 minutes late', early);
  printLines(
    'departures later than these minutes, by the share of arrivals later than these minutes (15 or more)',
    departure,
  );
  const scheduled = scheduledTimes(await readRouteTimes(dataDir));
  const correlations = await readCorrelations(dataDir);
  printCorrelations(correlations);
  if (!write) return;
  const files = [...new Set([...FLIGHT_FILES, ...CORRELATION_FILES])];
  const content = {
    early: early.map(rounded),
    departure: departure.map(rounded),
    scheduled,
    sameFlight: pooled(correlations.filter(({ pair }) => pair === 'same flight')),
    connection: pooled(correlations.filter(({ pair }) => pair === 'connection')),
    provenance: {
      command: 'npm run fit -- connections --write',
      sources: await Promise.all(
        files.map(async (file) => ({ file, sha256: await fileSha256(path.join(dataDir, file)) })),
      ),
    },
  };
  const seal = sha256(JSON.stringify(content));
  await saveText(PARAMETERS, `${JSON.stringify({ ...content, seal }, null, 2)}\n`);
  console.log(`written to ${PARAMETERS}`);
}

/** Fits the scheduled minutes by distance and direction with least squares, each route weighted by its flights. */
function scheduledTimes(routes: RouteTime[]) {
  const rows = routes.map(({ from, to }) => [1, distanceKm(from, to), degreesEast(from, to)]);
  const weighted = (value: (row: number[], at: number) => number) =>
    sum(rows.map((row, at) => (routes[at] as RouteTime).flights * value(row, at)));
  const [matrix, right] = [new Float64Array(9), new Float64Array(3)];
  for (let i = 0; i < 3; i++) {
    right[i] = weighted((row, at) => (row[i] as number) * (routes[at] as RouteTime).minutes);
    for (let j = 0; j < 3; j++) {
      matrix[3 * i + j] = weighted((row) => (row[i] as number) * (row[j] as number));
    }
  }
  const [baseMin = 0, perKm = 0, perDegreeEast = 0] = solve(matrix, right);
  const squares = weighted((row, at) => {
    const estimate = baseMin + perKm * (row[1] as number) + perDegreeEast * (row[2] as number);
    return ((routes[at] as RouteTime).minutes - estimate) ** 2;
  });
  const deviation = Math.sqrt(squares / sum(routes.map(({ flights }) => flights)));
  console.log(`scheduled times of ${routes.length} routes: error ${deviation.toFixed(1)} minutes`);
  return {
    baseMin: round(baseMin, 1),
    perKm: round(perKm, 5),
    perDegreeEast: round(perDegreeEast, 3),
  };
}

type Counts = {
  trials: (group: DelayGroup) => number;
  successes: (group: DelayGroup) => number;
  known: (group: DelayGroup) => number;
};

/** Keeps the slope near 1 for long delays, because only few flights have them. */
const SLOPE_PENALTY = 20;

function lineOf(minutes: number, groups: DelayGroup[], counts: Counts): Line {
  const [trials, successes] = [sum(groups.map(counts.trials)), sum(groups.map(counts.successes))];
  const known = groups.map((group) => logit(counts.known(group)));
  // Newton's method starts at the mean of all flights, because it may fail further away.
  const start = logit(share(successes, trials)) - sum(known) / known.length;
  const { weights, intercept } = fitRidge(
    {
      x: Float32Array.from(known),
      columns: 1,
      trials: Float64Array.from(groups.map(counts.trials)),
      successes: Float64Array.from(groups.map(counts.successes)),
      offset: new Float64Array(groups.length).fill(start),
    },
    [SLOPE_PENALTY],
    [1],
  );
  return { minutes, intercept: start + intercept, slope: weights[0] ?? 0 };
}

/** Share of a group. A small amount is added, so that the share is never 0 or 1 and its log-odds are finite. */
function share(count: number, flights: number): number {
  return (count + 0.5) / (flights + 1);
}

function rounded({ minutes, intercept, slope }: Line): Line {
  return { minutes, intercept: round(intercept, 3), slope: round(slope, 3) };
}

/**
 * Mean of the correlations of the sources. Each source has the same weight, because the days of a source vary together.
 */
function pooled(correlations: Correlation[]): number {
  return round(sum(correlations.map(({ normal }) => normal)) / correlations.length, 3);
}

function printLines(title: string, lines: Line[]): void {
  console.log(title);
  const rows = lines.map((line) => [
    String(line.minutes),
    line.intercept.toFixed(2),
    line.slope.toFixed(2),
  ]);
  console.log(table(['minutes', 'intercept', 'slope'], rows));
}

function printCorrelations(correlations: Correlation[]): void {
  const rows = correlations.map(({ pair, source, pairs, normal }) => [
    pair,
    source,
    String(pairs),
    normal.toFixed(3),
  ]);
  console.log(table(['delays', 'source', 'pairs', 'correlation'], rows));
}
