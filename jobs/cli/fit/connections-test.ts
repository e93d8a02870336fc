import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CONNECTING_MINUTES } from '../../../models/connecting-times.ts';
import type { DelayCurve } from '../../../models/delay-curve.ts';
import { aucOf, type Case } from '../../../models/evaluate/metrics.ts';
import { MODEL_CONTRACT } from '../../../models/features.ts';
import { openModel } from '../../../models/onnx/model.ts';
import { openXgboost } from '../../../models/train/xgboost.ts';
import { CORRELATIONS, forecastTrip, type TripCorrelations } from '../../../models/trip.ts';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { scoreOutcomes } from '../../../pipelines/model/score-outcomes.ts';
import { trainModel } from '../../../pipelines/model/train-model.ts';
import { knowledgeAsOf, readOutcomes } from '../../../warehouse/build/as-of.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { sum } from '../../../warehouse/ground/numbers.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import { SEED_DIR, seedFilesIn } from '../program/arguments.ts';
import { table } from '../tables.ts';
import {
  CONNECTION_SETS,
  readConnections,
  type ConnectionSet,
  type SeenConnection,
} from './connection-cases.ts';

/** Correlations without the link between two flights at one airport, for comparison. */
const UNCORRELATED: TripCorrelations = { ...CORRELATIONS, sameAirport: 0 };

/**
 * Forecasts connections from the data before each test period: the shipped history and earlier flights of the set.
 * Prints the forecast and the actual share of missed connections, by tenths of the forecast. Prints this in three
 * variants:
 * - with the correlation of flights at one airport
 * - without this correlation
 * - with the period's actual level of delays, which no forecast can know.
 */
export async function testConnections(dataDir: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwind-connections-'));
  try {
    const seedLake = path.join(folder, 'seed');
    for (const seedFile of seedFilesIn(SEED_DIR)) await extract(seedFile, seedLake);
    for (const [at, set] of CONNECTION_SETS.entries()) {
      const lake = path.join(folder, String(at));
      const file = path.join(dataDir, set.file);
      await extract(file, lake);
      printSet(set.title, await forecastSet(set, file, [seedLake, lake]));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Reads a set's connections. Adds the forecast delay distributions of both flights to each connection. */
async function forecastSet(set: ConnectionSet, file: string, lakes: string[]): Promise<Forecast[]> {
  const curves = await forecastCurves(set.cuts, lakes);
  return (await readConnections(set, file)).flatMap((one) => {
    const [before, after] = [curves.get(one.before), curves.get(one.after)];
    return before && after ? [{ ...one, curves: [before, after] as const }] : [];
  });
}

function printSet(title: string, connections: Forecast[]): void {
  console.log(`\n${title}: ${connections.length} connections, 30 to 240 minutes`);
  for (const [name, correlations, known] of [
    ['with the correlation', CORRELATIONS, connections],
    ['without the correlation', UNCORRELATED, connections],
    ['with the level of delays of the period', CORRELATIONS, atActualLevel(connections)],
  ] as const) {
    const cases = known.map((one) => caseOf(one, correlations));
    console.log(`${name}: AUC ${aucOf(cases).toFixed(4)}, log loss ${logLoss(cases).toFixed(5)}`);
    printTenths(cases);
  }
}

/**
 * Scales the delay probabilities of the first flights so that their mean over the period is right. Does the same with
 * the probabilities of cancellations and diversions. The remaining errors are not due to the level.
 */
function atActualLevel(connections: Forecast[]): Forecast[] {
  const ratio = (isActual: (one: Forecast) => boolean, expected: (curve: DelayCurve) => number) =>
    connections.filter(isActual).length / sum(connections.map(({ curves }) => expected(curves[0])));
  const late = ratio(
    ({ isLate }) => isLate,
    (curve) => curve.late[1] as number,
  );
  const lost = ratio(
    ({ isLost }) => isLost,
    ({ cancelled, diverted }) => cancelled + diverted,
  );
  return connections.map((one) => {
    const [first, second] = one.curves;
    const scaled = {
      late: first.late.map((probability) => late * probability),
      cancelled: lost * first.cancelled,
      diverted: lost * first.diverted,
    };
    return { ...one, curves: [scaled, second] as const };
  });
}

/**
 * Returns the delay distribution of each flight in the last lake. Each flight is forecast from the data before its
 * period.
 */
async function forecastCurves(
  cuts: readonly string[],
  lakes: string[],
): Promise<Map<string, DelayCurve>> {
  const curves = new Map<string, DelayCurve>();
  for (const [at, until] of cuts.slice(1).entries()) {
    const from = cuts[at] as string;
    const { store: files, training } = await knowledgeAsOf(lakes, from);
    const settings = { seed: 1, codeVersion: 'test', metrics: {} };
    const bytes = trainModel(training, settings, openXgboost(), () => undefined);
    const model = openModel(bytes, MODEL_CONTRACT);
    const outcomes = await readOutcomes(lakes.at(-1) as string, from, until);
    for (const { curve, outcome } of scoreOutcomes(outcomes, openStore(files), model, true)) {
      const { origin, dest, carrier, flight_date, local_hour } = outcome;
      if (curve) curves.set([origin, dest, carrier, flight_date, local_hour].join('-'), curve);
    }
  }
  return curves;
}

async function extract(file: string, lakeDir: string): Promise<void> {
  await extractFile(
    { path: file },
    createExtractDeps({ lakeDir, codeVersion: 'test' }),
    () => undefined,
  );
}

type Forecast = SeenConnection & { curves: readonly [DelayCurve, DelayCurve] };

/** A forecast connection, and the day on which it was made or missed. */
type DayCase = Case & { day: string };

function caseOf(connection: Forecast, correlations: TripCorrelations): DayCase {
  const { day, curves, plannedMin, isMissed } = connection;
  const { lost, missed } = forecastTrip(
    curves.map((curve) => ({ curve, laterFlights: [] })),
    [{ plannedMin, neededMin: CONNECTING_MINUTES.domestic }],
    correlations,
  );
  // A flight that is cancelled or diverted misses every connection.
  return { day, p: (lost[0] ?? 0) + (missed[0] ?? 0), flights: 1, delayed: isMissed ? 1 : 0 };
}

function logLoss(cases: Case[]): number {
  const losses = cases.map(({ p, delayed }) => {
    const probability = Math.min(1 - 1e-4, Math.max(1e-4, p));
    return -Math.log(delayed === 1 ? probability : 1 - probability);
  });
  return sum(losses) / losses.length;
}

function printTenths(cases: DayCase[]): void {
  const sorted = cases.toSorted((a, b) => a.p - b.p);
  const tenths = Array.from({ length: 10 }, (_, at) =>
    sorted.slice((at * sorted.length) / 10, ((at + 1) * sorted.length) / 10),
  );
  const rows = tenths.map((tenth, at) => {
    const missed = sum(tenth.map(({ delayed }) => delayed));
    const forecast = sum(tenth.map(({ p }) => p)) / tenth.length;
    return [
      String(at + 1),
      `${(100 * forecast).toFixed(1)} %`,
      `${((100 * missed) / tenth.length).toFixed(1)} %`,
      String(missed),
      `${(100 * deviationOf(tenth)).toFixed(1)} %`,
    ];
  });
  console.log(table(['tenth', 'forecast', 'missed', 'misses', 'deviation'], rows));
}

/**
 * Returns the standard deviation of the difference between the forecast and the actual share of missed connections. The
 * connections of a day share their weather. Days are therefore treated as independent of each other, but connections
 * are not.
 */
function deviationOf(cases: DayCase[]): number {
  const error = ({ p, delayed }: Case) => p - delayed;
  const mean = sum(cases.map(error)) / cases.length;
  const days = Map.groupBy(cases, ({ day }) => day).values();
  const squares = [...days].map((ofDay) => sum(ofDay.map((one) => error(one) - mean)) ** 2);
  return Math.sqrt(sum(squares)) / cases.length;
}
