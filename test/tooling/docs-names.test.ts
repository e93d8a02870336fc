import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import packageFile from '../../package.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const FILES = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');

/** Pages about the current code; the changelog may name removed files. */
const PAGES = FILES.filter(
  (file) => file.endsWith('.md') && file !== 'CHANGELOG.md' && !file.startsWith('test/fixtures/'),
);

const findOnPages = (pattern: RegExp) =>
  PAGES.flatMap((page) =>
    [...read(page).matchAll(pattern)].map(([, name = '']) => ({ page, name })),
  );

test('every file that a page names exists', (t) => {
  const fileNames = findOnPages(
    /`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|sql|lua|json|md|yml|parquet|svg))`/g,
  );
  t.true(fileNames.length > 50, 'the pattern finds names');
  t.deepEqual(
    // Some pages name files relative to a folder.
    fileNames.filter(({ name }) => !FILES.some((file) => `/${file}`.endsWith(`/${name}`))),
    [],
  );
});

test('the walks of docs/architecture.md pass at most 12 and 10 files', (t) => {
  const [, walks = ''] = read('docs/architecture.md').split('## Two walks');
  const [, ...steps] = (walks.split('\n## ')[0] ?? '').split(/^\*\*/m);
  const [call = 0, month = 0] = steps.map(
    (walk) => new Set(walk.match(/`[\w.-]+\/[\w/.-]+`/g)).size,
  );
  t.true(call > 5 && call <= 12);
  t.true(month > 5 && month <= 10);
  t.is(steps.length, 2);
});

test('every link of a page leads to an existing page and heading', (t) => {
  const links = findOnPages(/\]\((?!https?:)([^)\s]+)\)/g);
  t.true(links.length > 20, 'the pattern finds links');
  const isDead = ({ page, name }: { page: string; name: string }) => {
    const [file = '', heading] = name.split('#');
    const target = file === '' ? page : path.join(path.dirname(page), file);
    if (!existsSync(path.join(ROOT, target))) return true;
    return heading !== undefined && !listAnchors(read(target)).includes(heading);
  };
  t.deepEqual(links.filter(isDead), []);
});

test('every folder and file in the table of topics exists', (t) => {
  const [, rest = ''] = read('docs/architecture.md').split('## Where to change it');
  const [table = ''] = rest.split('\n## ');
  const names = [
    ...table.matchAll(/`((?:api|deploy|jobs|models|pipelines|warehouse)\/[\w./-]*)`/g),
  ];
  t.true(names.length > 80, 'the pattern finds names');
  t.deepEqual(
    names.map(([, name = '']) => name).filter((name) => !existsSync(path.join(ROOT, name))),
    [],
  );
});

test('each decision has a number of its own, and its heading has the same number', (t) => {
  const names = FILES.filter((file) => /^docs\/decisions\/.*\.md$/.test(file));
  const numbers = names.map((file) => Number(path.basename(file).slice(0, 4)));
  t.deepEqual(
    numbers,
    names.map((_, at) => at + 1),
  );
  const headings = names.map((file) => Number(/^# (\d+)\. /.exec(read(file))?.[1]));
  t.deepEqual(headings, numbers);
});

test('every command that a page names exists', (t) => {
  const makefile = read('Makefile');
  const targets = [...makefile.matchAll(/^([a-z-]+):/gm)].map(([, target]) => target);
  const commands = findOnPages(/(?:^|`)make ([a-z][a-z-]*)/gm);
  t.true(commands.length > 20, 'the pattern finds commands');
  t.deepEqual(
    commands.filter(({ name }) => !targets.includes(name)),
    [],
  );
  const scripts = findOnPages(/npm run (?:--silent )?([a-z][\w:-]*)/g);
  t.deepEqual(
    scripts.filter(({ name }) => !(name in packageFile.scripts)),
    [],
  );
});

test('make calls or a page names every npm script', (t) => {
  const text = [read('Makefile'), ...PAGES.map(read)].join('\n');
  const isCalled = (name: string) => {
    const [command, part] = name.split(':');
    const call = new RegExp(`(?:\\$\\(RUN\\)|npm(?: run)?(?: --silent)?) ${name}(?![\\w:-])`);
    return call.test(text) || text.includes(`make ${command} PART=${part}`);
  };
  const unused = Object.keys(packageFile.scripts).filter((name) => !isCalled(name));
  t.deepEqual(unused, []);
});

/** Returns the headings of a page in the form of links. */
function listAnchors(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
