import path from 'node:path';
import { logLoss } from '../../../models/evaluate/log-loss.ts';
import { knotShares } from '../../../models/inbound.ts';
import { fitRidge } from '../../../models/train/ridge.ts';
import { expit, logit } from '../../../warehouse/ground/log-odds.ts';
import { round, sum } from '../../../warehouse/ground/numbers.ts';
import { fileSha256, sha256 } from '../../../warehouse/ground/hashes.ts';
import { table } from '../tables.ts';
import { FIT_FILE, readRotations, TEST_FILE, type Rotation } from './inbound-flights.ts';
import { saveText } from './save-weather.ts';

const PARAMETERS = path.join(import.meta.dirname, '../../../models/inbound.json');

/**
 * Delays of the incoming aircraft, in minutes, whose effects are fitted. Between two of these delays, the effect
 * follows a straight line. An early aircraft is treated like one on time.
 */
const KNOTS = [0, 15, 30, 45, 60, 90, 120, 180];

/** Groups of the test, by delay of the incoming aircraft in minutes: above the first number, up to the second. */
const GROUPS = [
  [-Infinity, 0],
  [0, 15],
  [15, 30],
  [30, 60],
  [60, 120],
  [120, Infinity],
] as const;

type Knot = { minutes: number; logOdds: number; error: number };

/**
 * Fits how much the delay of the incoming aircraft adds to the log-odds of being more than 30 minutes late. Tests the
 * fit on flights of another year. Prints the fit and the test. With `write`, saves the fit.
 */
export async function fitInbound(dataDir: string, write: boolean): Promise<void> {
  const knots = fitKnots(await readRotations(dataDir, FIT_FILE));
  console.log(
    table(
      ['incoming aircraft late', 'log-odds', 'standard error'],
      knots.map(({ minutes, logOdds, error }) => [
        `${minutes} min`,
        logOdds.toFixed(2),
        error.toFixed(2),
      ]),
    ),
  );
  printTest(await readRotations(dataDir, TEST_FILE), knots);
  if (!write) return;
  const content = {
    knots: knots.map(({ minutes, logOdds, error }) => ({
      ...{ minutes, logOdds: round(logOdds, 3), error: round(error, 3) },
    })),
    provenance: {
      command: 'npm run fit -- inbound --write',
      sources: [{ file: FIT_FILE, sha256: await fileSha256(path.join(dataDir, FIT_FILE)) }],
    },
  };
  const seal = sha256(JSON.stringify(content));
  await saveText(PARAMETERS, `${JSON.stringify({ ...content, seal }, null, 2)}\n`);
  console.log(`written to ${PARAMETERS}`);
}

/** Strength of a penalty that pulls the effects of rare delays slightly toward 0. */
const PENALTY = 1;

function fitKnots(rotations: Rotation[]): Knot[] {
  const shares = rotations.map(({ inboundMin }) => knotShares(inboundMin, KNOTS));
  const offset = Float64Array.from(rotations, ({ usualRate }) => logit(usualRate));
  const { weights, intercept } = fitRidge(
    {
      x: Float32Array.from(shares.flat()),
      columns: KNOTS.length,
      trials: new Float64Array(rotations.length).fill(1),
      successes: Float64Array.from(rotations, ({ isLate }) => Number(isLate)),
      offset,
    },
    KNOTS.map(() => PENALTY),
  );
  const effects = weights.map((weight) => weight + intercept);
  return KNOTS.map((minutes, knot) => {
    const information = sum(
      shares.map((row, at) => {
        const late = expit(
          (offset[at] as number) + sum(row.map((one, k) => one * (effects[k] as number))),
        );
        return (row[knot] as number) ** 2 * late * (1 - late);
      }),
    );
    return {
      minutes,
      logOdds: effects[knot] as number,
      error: 1 / Math.sqrt(information + PENALTY),
    };
  });
}

function forecastOf({ usualRate, inboundMin }: Rotation, knots: Knot[]): number {
  const shares = knotShares(inboundMin, KNOTS);
  const effect = sum(knots.map(({ logOdds }, at) => logOdds * (shares[at] as number)));
  return expit(logit(usualRate) + effect);
}

function printTest(rotations: Rotation[], knots: Knot[]): void {
  const share = (count: number, all: number) => `${((100 * count) / all).toFixed(1)} %`;
  for (const [airport, flights] of Map.groupBy(rotations, (one) => one.airport)) {
    if (airport !== 'PHX' && airport !== 'IAH') continue;
    const rows = GROUPS.flatMap(([above, upTo]) => {
      const group = flights.filter(({ inboundMin }) => inboundMin > above && inboundMin <= upTo);
      const late = group.filter(({ isLate }) => isLate).length;
      const left = group.filter(({ departureMin }) => departureMin >= 15).length;
      const forecast = sum(group.map((one) => forecastOf(one, knots)));
      const name = upTo === Infinity ? `over ${above} min` : `up to ${upTo} min`;
      const count = group.length;
      return [
        [name, String(count), share(forecast, count), share(late, count), share(left, count)],
      ];
    });
    console.log(`${airport}, December 2019`);
    console.log(
      table(['aircraft late', 'flights', 'forecast', 'over 30 min late', 'left 15 min late'], rows),
    );
    const loss = (rateOf: (one: Rotation) => number) =>
      logLoss(
        flights.map((one) => ({ completed: 1, delayed: Number(one.isLate), rate: rateOf(one) })),
      );
    console.log(
      `log loss ${loss(({ usualRate }) => usualRate).toFixed(4)} without, ${loss((one) => forecastOf(one, knots)).toFixed(4)} with the delay of the aircraft`,
    );
  }
}
