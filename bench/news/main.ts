import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { feedText } from '../../pipelines/news/feed-text.ts';
import type { Gazetteer } from '../../pipelines/news/gazetteer.ts';
import { judge } from '../../pipelines/news/judge.ts';
import { parseFeed } from '../../pipelines/news/parse.ts';
import { figuresOf, type Figures } from './figures.ts';
import { isHeldOut, readHeadlines } from './headlines.ts';
import { outcomesOf, realGazetteer } from './judged.ts';

/**
 * `npm run news [-- folder-of-feeds]`: what the classifier makes of the labelled headlines, and which items of real
 * feeds it lets through. Mistakes are listed for the tuning part alone, so that nobody tunes on the other.
 */
const [folder] = process.argv.slice(2);
const gazetteer = await realGazetteer();
const headlines = readHeadlines();
const tuning = outcomesOf(
  headlines.filter((one) => !isHeldOut(one)),
  gazetteer,
);
print('Tuning part', figuresOf(tuning));
for (const { label, got, text } of tuning.filter((one) => one.got !== one.label)) {
  process.stdout.write(`  ${label} taken for ${got}: ${text}\n`);
}
print('Held out', figuresOf(outcomesOf(headlines.filter(isHeldOut), gazetteer)));
if (folder !== undefined) await printFeeds(folder, gazetteer);

function print(name: string, { perClass, macroF1, falseAlarmRate }: Figures): void {
  const rows = perClass.map(
    ({ label, count, precision, recall, f1 }) =>
      `| ${label} | ${count} | ${precision.toFixed(2)} | ${recall.toFixed(2)} | ${f1.toFixed(2)} |`,
  );
  process.stdout.write(
    `\n${name}\n\n| class | headlines | precision | recall | F1 |\n|---|---|---|---|---|\n${rows.join('\n')}\n\n` +
      `macro F1 ${macroF1.toFixed(3)}, false alarms ${(100 * falseAlarmRate).toFixed(1)} %\n`,
  );
}

async function printFeeds(place: string, names: Gazetteer): Promise<void> {
  let read = 0;
  let passed = 0;
  process.stdout.write('\nItems of real feeds let through\n\n');
  for (const file of readdirSync(place).toSorted()) {
    const { items } = await parseFeed(feedText(readFileSync(join(place, file))));
    read += items.length;
    for (const item of items) {
      const year = new Date(item.publishedAt ?? 0).getUTCFullYear();
      const judged = judge(item, year, names);
      if (!judged) continue;
      passed += 1;
      const { airports, carriers, countries } = judged.touches;
      const places = [...airports, ...carriers, ...countries].join(' ') || 'no place';
      process.stdout.write(
        `- ${file}: ${judged.eventType} ${judged.severity} (${places}): ${item.title}\n`,
      );
    }
  }
  process.stdout.write(`\n${passed} of ${read} items\n`);
}
