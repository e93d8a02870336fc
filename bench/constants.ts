/**
 * `npm run constants -- half-life|strength|season|cancellations|drivers|example|numbers|seed [folder of flight files]`:
 * measures the constants of the models. `half-life`, `strength` and `season` predict unseen months. `cancellations`
 * measures, with the bundled delay-cause table, how much of the past differences in cancellations lasts. `drivers` counts
 * the top drivers of random flights. `example` computes the example of docs/features.md, from record to payout.
 * `numbers` measures whether the record of a flight number improves forecasts of the named sets. `seed` prints figures of
 * the seed.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { cancellationWeights } from './constants/cancellations.ts';
import { rateHistories, seasonHistory, type History } from './constants/histories.ts';
import { halfLifeFolds, strengthFolds } from './constants/rates.ts';
import { compareCandidates, outcomeTable, type Outcome } from '../jobs/cli/fit/report.ts';
import {
  dayFolds,
  DAY_SPLITS,
  monthFolds,
  MONTH_SPLITS,
  prepareSeason,
} from './constants/season.ts';
import { compareNumbers } from './constants/numbers.ts';
import { topDrivers } from './constants/drivers.ts';
import { exampleFigures } from './constants/example.ts';
import { seedFigures } from './constants/seed.ts';

const HALF_LIVES = [3, 6, 12, 24, 48, Infinity];

/**
 * Numbers of months between the history and the predicted month. The largest is 12, because a flight can be scored up
 * to a year before its departure.
 */
const HORIZONS = [1, 6, 12];

/** Numbers of months of history from which cancellations are forecast. */
const CANCELLATION_MONTHS = [1, 3, 6, 12, 24];

const STRENGTHS = [10, 25, 50, 100, 200, 400];

/** Half-life in months, as in `int_month_weights.sql`. */
const HALF_LIFE = 24;

const SOURCE_DIR = '../shared/data/flights';

type Column = { name: string; outcomes: Outcome[] };

const { positionals } = parseArgs({ allowPositionals: true });
const [question = '', sourceDir = SOURCE_DIR, ...names] = positionals;

if (!['seed', 'cancellations', 'drivers', 'example', 'numbers'].includes(question)) {
  console.log(
    'Log loss relative to the reference, in 1/10,000 nat per flight (better in … of … months).',
  );
}
switch (question) {
  case 'half-life':
    await halfLife(await rateHistories(sourceDir));
    break;
  case 'strength':
    await strength(await rateHistories(sourceDir));
    break;
  case 'season':
    await season(await seasonHistory(sourceDir));
    break;
  case 'numbers':
    await compareNumbers(path.join(sourceDir, '..'), names);
    break;
  case 'cancellations':
    for (const months of CANCELLATION_MONTHS) {
      console.log(`${months} months of history`, await cancellationWeights(months));
    }
    break;
  case 'drivers':
    console.log(await topDrivers());
    break;
  case 'example':
    console.dir(await exampleFigures(), { depth: null });
    break;
  case 'seed':
    console.log(await seedFigures());
    break;
  default:
    console.error(
      `unknown part "${question}"; use half-life, strength, season, cancellations, drivers, example, numbers or seed`,
    );
    process.exitCode = 2;
}

async function halfLife(histories: History[]): Promise<void> {
  for (const horizon of HORIZONS) {
    const columns: Column[] = [];
    for (const history of histories) {
      const folds = await halfLifeFolds(history, { horizon, halfLives: HALF_LIVES });
      if (folds.length > 0) {
        columns.push({ name: history.name, outcomes: compareCandidates(folds, 'none') });
      }
    }
    console.log(outcomeTable(`half-life; ${horizon} months ahead`, columns));
  }
}

async function strength(histories: History[]): Promise<void> {
  const columns: Column[] = [];
  for (const history of histories) {
    const { folds, estimates } = await strengthFolds(history, {
      halfLife: HALF_LIFE,
      strengths: STRENGTHS,
    });
    const [least, most] = [Math.min(...estimates), Math.max(...estimates)];
    const name = `${history.name}, estimated ${least.toFixed(0)} to ${most.toFixed(0)}`;
    columns.push({ name, outcomes: compareCandidates(folds, 'estimated') });
  }
  console.log(outcomeTable('prior strength, flights', columns));
}

async function season({ db }: History): Promise<void> {
  await prepareSeason(db);
  const days: Column[] = [];
  for (const split of DAY_SPLITS) {
    days.push({ name: split.name, outcomes: compareCandidates(await dayFolds(db, split), 'none') });
  }
  console.log(outcomeTable('factors of the day', days));
  const months: Column[] = [];
  for (const split of MONTH_SPLITS) {
    months.push({
      name: split.name,
      outcomes: compareCandidates(await monthFolds(db, split), 'none'),
    });
  }
  console.log(outcomeTable("weight of one year's month", months));
}
