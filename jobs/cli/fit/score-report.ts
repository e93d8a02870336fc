import path from 'node:path';
import { riskLabel } from '../../../models/label.ts';
import { rankTable } from '../commands/backtest-tables.ts';
import { count, percent, table } from '../tables.ts';
import { save } from './save-weather.ts';
import { scorePicture } from './score-picture.ts';
import { seedScores, type SeedScores, type Spread } from './score-spread.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const SPREAD_FILE = path.join(ROOT, 'jobs/cli/fit/score-spread.json');
const PICTURE_FILE = path.join(ROOT, 'docs/score-scales.svg');

/** Prints how the seed's flights are scored, and draws the picture of docs/features.md when told to. */
export async function scales(write: boolean): Promise<void> {
  const scores = await seedScores();
  for (const line of scaleLines(scores)) console.log(line);
  if (!write) return;
  await save(SPREAD_FILE, `${JSON.stringify(scores.spread)}\n`);
  await save(PICTURE_FILE, await scorePicture(scores.spread));
  console.log(`written to ${SPREAD_FILE} and ${PICTURE_FILE}`);
}

/** Tables of how many flights are in each band and of how well they are ranked, and what else is told of the scores. */
export function scaleLines(scores: SeedScores): string[] {
  const { alone, blend } = scores.spread.scores;
  const withModel = bandShares(blend);
  const rows = [...bandShares(alone)].map(([band, share]) => [
    band,
    percent(share),
    percent(withModel.get(band) ?? 0),
  ]);
  return [
    table(['band', 'without the model', 'with it'], rows),
    rankTable(scores.ranks),
    ...sentences(scores),
  ];
}

function sentences({ switchedOff, hours }: SeedScores): string[] {
  const three = (value: number | null) => value?.toFixed(3) ?? 'too few';
  const { moved, otherBand, twoBands } = switchedOff;
  return [
    `Without the model ${percent(moved)} of the scores of confidence 50 or more move by more than 3 points, ${percent(otherBand)} to another band, ${percent(twoBands)} by two.`,
    `Without an hour, on days of half or twice the odds, the log-odds of ${count(hours.airlineRoutes)} airline-routes are off by ${three(hours.mean)} on average and ${three(hours.most)} at most.`,
  ];
}

function bandShares(scores: Spread['scores']['alone']): Map<string, number> {
  const bands = new Map<string, number>();
  for (const [score, share] of scores.entries()) {
    bands.set(riskLabel(score), (bands.get(riskLabel(score)) ?? 0) + share);
  }
  return bands;
}
