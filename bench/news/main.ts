import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { feedText } from '../../pipelines/news/feed-text.ts';
import type { Gazetteer } from '../../pipelines/news/gazetteer.ts';
import { judge } from '../../pipelines/news/judge.ts';
import { parseFeed } from '../../pipelines/news/parse.ts';
import { computeFigures, type Figures } from './figures.ts';
import { isInTestSet, readHeadlines } from './headlines.ts';
import { classifyHeadlines, loadGazetteer } from './classify.ts';

/**
 * `npm run news [-- folder-of-feeds]`: prints how well the classifier labels headlines. Also prints which items of real
 * feeds the classifier accepts. Lists mistakes only for the training set, because nobody should adjust the phrases to
 * the test set.
 */
const [folder] = process.argv.slice(2);
const gazetteer = await loadGazetteer();
const headlines = readHeadlines();
const tuning = classifyHeadlines(
  headlines.filter((headline) => !isInTestSet(headline)),
  gazetteer,
);
print('Training set', computeFigures(tuning));
for (const { label, predicted, text } of tuning.filter(
  (outcome) => outcome.predicted !== outcome.label,
)) {
  process.stdout.write(`  ${label} classified as ${predicted}: ${text}\n`);
}
print('Test set', computeFigures(classifyHeadlines(headlines.filter(isInTestSet), gazetteer)));
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
  process.stdout.write('\nAccepted items of real feeds\n\n');
  for (const file of readdirSync(place).toSorted()) {
    const { items } = await parseFeed(feedText(readFileSync(join(place, file))));
    read += items.length;
    for (const item of items) {
      const year = new Date(item.publishedAt ?? 0).getUTCFullYear();
      const verdict = judge(item, year, names);
      if (!verdict) continue;
      passed += 1;
      const { airports, carriers, countries } = verdict.touches;
      const places = [...airports, ...carriers, ...countries].join(' ') || 'no place';
      process.stdout.write(
        `- ${file}: ${verdict.eventType} ${verdict.severity} (${places}): ${item.title}\n`,
      );
    }
  }
  process.stdout.write(`\n${passed} of ${read} items accepted\n`);
}
