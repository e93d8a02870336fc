/** `npm run weights -- [folder of flight files]`: fits the weights of the statistical score and seals them with their provenance. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monthOf } from '../../../models/dates.ts';
import type { FactorValues } from '../../../models/linear-score.ts';
import { assessFlight } from '../../../models/score.ts';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { knowledgeAsOf, outcomesOf } from '../../../warehouse/build/as-of.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { sha256 } from '../../../warehouse/sha256.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import { fitWeights, type Observation } from '../../../models/train/linear-weights.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const SEED = path.join(ROOT, 'warehouse/seed/route_hours.parquet');
const WEIGHTS = path.join(ROOT, 'models/linear-weights.json');

/** History holds no forecast and no news, so these cannot be fitted. */
const GIVEN = { weather: 0.1, event_risk: 0.05 };
const FITTED = ['delay_rate', 'cancel_rate', 'congestion', 'seasonality'] as const;

/** Months forecast from what was known before them. Of the back-tests in docs/model.md, only those of 2018 are of such months. */
const FOLDS = [
  { name: 'United States 2018', file: SEED, from: '2018-10-01', until: '2019-01-01' },
  { name: 'New York 2017', file: 'nyc_2017.parquet', from: '2017-07-01', until: '2017-10-01' },
  {
    name: 'Seattle-Portland 2023',
    file: 'pnw_2023_01-10.parquet',
    from: '2023-05-01',
    until: '2023-08-01',
  },
];

const [folder = path.join(ROOT, '../shared/data/flights')] = process.argv.slice(2);
const work = await mkdtemp(path.join(tmpdir(), 'headwind-weights-'));
try {
  const seedLake = await lakeOf('seed', SEED);
  const fits: Record<string, number[]> = {};
  for (const { name, file, from, until } of FOLDS) {
    const lake = file === SEED ? seedLake : await lakeOf(name, path.join(folder, file));
    fits[name] = fitWeights(await observations(lake, seedLake, from, until));
    console.log(name, fits[name].map((weight) => weight.toFixed(3)).join(' '));
  }
  await writeFile(WEIGHTS, `${JSON.stringify(sealed(fits), null, 2)}\n`);
} finally {
  await rm(work, { recursive: true });
}

async function lakeOf(name: string, file: string): Promise<string> {
  const lakeDir = path.join(work, name);
  const deps = createExtractDeps({ lakeDir, codeVersion: 'weights' });
  await extractFile({ path: file }, deps, () => undefined);
  return lakeDir;
}

async function observations(lake: string, seedLake: string, from: string, until: string) {
  const { store: files } = await knowledgeAsOf([lake, seedLake], from);
  const store = openStore(files);
  const known = (await outcomesOf(lake, from, until)).filter(
    ({ origin, dest }) => store.airport(origin) && store.airport(dest),
  );
  return known.flatMap((outcome): (Observation & { level: number })[] => {
    const { origin, dest, carrier, flight_date: flightDate } = outcome;
    const flights = outcome.completed_count + outcome.cancelled_count;
    if (flights === 0) return [];
    const { components } = assessFlight({ origin, dest, carrier, flightDate }, store, {});
    return [
      {
        values: FITTED.map((key) => components.find((one) => one.key === key)?.value ?? 0),
        flights,
        disrupted: outcome.delayed_count + outcome.cancelled_count,
        level: monthOf(flightDate),
      },
    ];
  });
}

/** The mean of the folds, each counting alike, in hundredths; what rounding leaves goes to the delay rate. */
function sealed(fits: Record<string, number[]>) {
  const left = 1 - GIVEN.weather - GIVEN.event_risk;
  const folds = Object.values(fits);
  const hundredths = FITTED.map((_, at) =>
    Math.round(folds.reduce((sum, fold) => sum + 100 * left * (fold[at] ?? 0), 0) / folds.length),
  );
  const excess = hundredths.reduce((sum, one) => sum + one, 0) - Math.round(100 * left);
  hundredths[0] = (hundredths[0] ?? 0) - excess;
  const of = (key: (typeof FITTED)[number]) => (hundredths[FITTED.indexOf(key)] ?? 0) / 100;
  const weights: FactorValues = {
    delay_rate: of('delay_rate'),
    cancel_rate: of('cancel_rate'),
    congestion: of('congestion'),
    weather: GIVEN.weather,
    seasonality: of('seasonality'),
    event_risk: GIVEN.event_risk,
  };
  const rounded = Object.entries(fits).map(([name, fit]) => [
    name,
    fit.map((one) => one.toFixed(3)),
  ]);
  const provenance = {
    command: 'npm run weights',
    given: Object.keys(GIVEN),
    fitted: FITTED,
    folds: FOLDS.map(({ name, from, until }) => `${name}: ${from} to ${until}, from before`),
    fits: Object.fromEntries(rounded) as Record<string, string[]>,
  };
  return { weights, provenance, seal: sha256(JSON.stringify({ weights, provenance })) };
}
