import path from 'node:path';
import { table } from '../tables.ts';
import { riskLabel } from '../../../models/label.ts';
import { save } from './save-weather.ts';
import { scorePicture } from './score-picture.ts';
import { seedSpread, type Spread } from './score-spread.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const SPREAD_FILE = path.join(ROOT, 'jobs/cli/fit/score-spread.json');
const PICTURE_FILE = path.join(ROOT, 'docs/score-scales.svg');

/** Prints how the seed's flights spread over the bands, and draws the picture of docs/features.md when told to. */
export async function scales(write: boolean): Promise<void> {
  const spread = await seedSpread();
  console.log(
    table(
      ['band', 'statistics alone', 'with the model'],
      [...bandShares(spread.scores.linear)].map(([band, linear]) => [
        band,
        percent(linear),
        percent(bandShares(spread.scores.blend).get(band) ?? 0),
      ]),
    ),
  );
  if (!write) return;
  await save(SPREAD_FILE, `${JSON.stringify(spread)}\n`);
  await save(PICTURE_FILE, await scorePicture(spread));
  console.log(`written to ${SPREAD_FILE} and ${PICTURE_FILE}`);
}

function bandShares(scores: Spread['scores']['linear']): Map<string, number> {
  const bands = new Map<string, number>();
  for (const [score, share] of scores.entries()) {
    bands.set(riskLabel(score), (bands.get(riskLabel(score)) ?? 0) + share);
  }
  return bands;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
