import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * A labelled headline. The label `none` means that the headline disrupts no flight. `hard` is the reason why the right
 * label is difficult to recognise.
 */
export type Headline = {
  label: string;
  /**
   * Why the headline only seems to disrupt flights: `negated`, `sport`, `history`, `sense`, `business` or `travel`.
   * Only headlines with the label `none` have a reason.
   */
  hard: string | undefined;
  language: string;
  text: string;
};

const FILE = fileURLToPath(new URL('../../test/fixtures/news/headlines.tsv', import.meta.url));

/** Reads every labelled headline, in the order of the file. */
export function readHeadlines(): Headline[] {
  const [, ...lines] = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [kind = '', language = '', text = ''] = line.split('\t');
    const [label = '', hard] = kind.split(':');
    return { label, hard, language, text };
  });
}

/**
 * Returns whether a headline belongs to the test set, which is a third of all headlines. This depends on a hash of the
 * text. New headlines or a new order therefore move no headline between the sets.
 */
export function isInTestSet({ text }: Headline): boolean {
  const [first = 0] = createHash('sha256').update(text).digest();
  return first % 3 === 0;
}
