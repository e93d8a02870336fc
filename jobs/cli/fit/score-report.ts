import path from 'node:path';
import { riskLabel } from '../../../models/label.ts';
import { rankTable } from '../commands/backtest-tables.ts';
import { count, percent, table } from '../tables.ts';
import { saveText } from './save-weather.ts';
import { scorePicture } from './score-picture.ts';
import { scoreSeed, type SeedScores, type Spread } from './score-spread.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const SPREAD_FILE = path.join(ROOT, 'jobs/cli/fit/score-spread.json');
const PICTURE_FILE = path.join(ROOT, 'docs/score-scales.svg');

/**
 * Prints the distribution of the seed's scores; with `write`, also saves it and draws the picture of
 * docs/features.md.
 */
export async function reportScales(write: boolean): Promise<void> {
  const scores = await scoreSeed();
  for (const line of scaleLines(scores)) console.log(line);
  if (!write) return;
  await saveText(SPREAD_FILE, `${JSON.stringify(scores.spread)}\n`);
  await saveText(PICTURE_FILE, scorePicture(scores.spread));
  console.log(`written to ${SPREAD_FILE} and ${PICTURE_FILE}`);
}

/** Formats the share of flights in each band, the rank correlations, and the sentences about the scores. */
export function scaleLines(scores: SeedScores): string[] {
  const { alone, blend } = scores.spread.scores;
  const withModel = bandShares(blend);
  const rows = [...bandShares(alone)].map(([band, share]) => [
    band,
    percent(share),
    percent(withModel.get(band) ?? 0),
  ]);
  return [
    table(['band', 'without the model', 'with the model'], rows),
    rankTable(scores.ranks),
    ...sentences(scores),
  ];
}

function sentences({ switchedOff, hours }: SeedScores): string[] {
  const { moved, otherBand, twoBands } = switchedOff;
  return [
    `Without the model, ${percent(moved)} of the scores with confidence 50 or more move by more than 3 points: ${percent(otherBand)} to another band, ${percent(twoBands)} by two bands.`,
    `Without an hour, on days with half or twice the average odds, the expected log-odds of ${count(hours.airlineRoutes)} airline-routes are off by ${hours.mean.toFixed(3)} on average and ${hours.max.toFixed(3)} at most.`,
  ];
}

function bandShares(scores: Spread['scores']['alone']): Map<string, number> {
  const bands = new Map<string, number>();
  for (const [score, share] of scores.entries()) {
    bands.set(riskLabel(score), (bands.get(riskLabel(score)) ?? 0) + share);
  }
  return bands;
}
