import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A headline and what a reader took it for; `none` disrupts no flight, `hard` says what makes that difficult to see. */
export type Labelled = {
  label: string;
  /** Of `none` only: negated, sport, history, sense, business or travel. */
  hard: string | undefined;
  language: string;
  text: string;
};

const FILE = fileURLToPath(new URL('../../test/fixtures/news/headlines.tsv', import.meta.url));

/** Every labelled headline, in the order of the file. */
export function readHeadlines(): Labelled[] {
  const [, ...lines] = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [kind = '', language = '', text = ''] = line.split('\t');
    const [label = '', hard] = kind.split(':');
    return { label, hard, language, text };
  });
}

/**
 * Whether a headline belongs to the third nothing is tuned on. The hash decides, so neither the order of the file
 * nor a headline added later moves one across.
 */
export function isHeldOut({ text }: Labelled): boolean {
  const [first = 0] = createHash('sha256').update(text).digest();
  return first % 3 === 0;
}
