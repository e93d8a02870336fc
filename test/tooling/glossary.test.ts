import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { openApiDocument } from '../../api/openapi/document.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const filesLike = (pattern: RegExp) =>
  execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => pattern.test(file));

/** The words of one list at the end of the glossary, such as `- **Names** never contain: `told`, …`. */
function listedWords(list: string): string[] {
  const [, line = ''] =
    new RegExp(`^- \\*\\*${list}\\*\\*(.*)$`, 'm').exec(read('docs/glossary.md')) ?? [];
  return [...line.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

const WORDS_OF_NAMES = listedWords('Names');
const OPENINGS = listedWords('Sentences');
const PHRASES = listedWords('Texts');

/** The words of an identifier: `readKeyUsage` has read, key and usage. "Held out" is a term of evaluation. */
const wordsIn = (name: string) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace('held out', 'test')
    .split(/[ _]/);

const startsBadly = (text: string) => OPENINGS.some((word) => text.startsWith(`${word} `));
const hasPhrase = (text: string) =>
  PHRASES.some((phrase) => new RegExp(`\\b${phrase}\\b`, 'i').test(text));

test('the glossary lists the words that the other tests look for', (t) => {
  for (const words of [WORDS_OF_NAMES, OPENINGS, PHRASES]) t.true(words.length >= 5);
});

test('an exported name contains no word that the glossary replaced', (t) => {
  const names = filesLike(/^(api|bench|jobs|models|pipelines|test|warehouse)\/.*\.ts$/).flatMap(
    (file) =>
      [...read(file).matchAll(/^export (?:async )?(?:const|function|type|class) (\w+)/gm)].map(
        ([, name = '']) => ({ file, name }),
      ),
  );
  t.true(names.length > 2_000, 'names are found');
  t.deepEqual(
    names.filter(({ name }) => wordsIn(name).some((word) => WORDS_OF_NAMES.includes(word))),
    [],
  );
});

test('a heading begins with its subject, and contains no replaced phrase', (t) => {
  const headings = filesLike(/\.md$/).flatMap((file) =>
    [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => ({ file, text })),
  );
  t.true(headings.length > 150, 'headings are found');
  t.deepEqual(
    headings.filter(({ text }) => startsBadly(text) || hasPhrase(text)),
    [],
  );
});

test('a description in /openapi.json begins with its subject, and contains no replaced phrase', (t) => {
  const texts: string[] = [];
  JSON.stringify(openApiDocument(), (key, value: unknown) => {
    const isText = key === 'description' || key === 'summary';
    if (isText && typeof value === 'string') texts.push(value);
    return value;
  });
  t.true(texts.length > 150, 'descriptions are found');
  t.deepEqual(
    texts.filter((text) => startsBadly(text) || hasPhrase(text)),
    [],
  );
});

test('a line of make help begins with a verb in lower case, and contains no replaced phrase', (t) => {
  const lines = [...read('Makefile').matchAll(/^[a-z-]+:.*## (.+)$/gm)].map(
    ([, text = '']) => text,
  );
  t.true(lines.length > 40, 'lines are found');
  t.deepEqual(
    lines.filter((text) => !/^[a-z]/.test(text) || hasPhrase(text)),
    [],
  );
});
