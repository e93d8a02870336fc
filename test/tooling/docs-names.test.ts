import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import packageFile from '../../package.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const FILES = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');

/** Pages that speak of what is there now; what a changelog tells may be gone. */
const PAGES = FILES.filter(
  (file) => file.endsWith('.md') && file !== 'CHANGELOG.md' && !file.startsWith('test/fixtures/'),
);

const everywhere = (pattern: RegExp) =>
  PAGES.flatMap((page) =>
    [...read(page).matchAll(pattern)].map(([, name = '']) => ({ page, name })),
  );

test('a file that a page names is there', (t) => {
  const named = everywhere(/`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|sql|lua|json|md|yml|parquet|svg))`/g);
  t.true(named.length > 50, 'names are found');
  t.deepEqual(
    // Some pages speak from inside a folder.
    named.filter(({ name }) => !FILES.some((file) => `/${file}`.endsWith(`/${name}`))),
    [],
  );
});

test('each walk of docs/architecture.md is at most fifteen files long', (t) => {
  const [, walks = ''] = read('docs/architecture.md').split('## Two walks');
  const [, ...steps] = (walks.split('\n## ')[0] ?? '').split(/^\*\*/m);
  t.deepEqual(
    steps.map((walk) => new Set(walk.match(/`[\w.-]+\/[\w/.-]+`/g)).size).filter((n) => n > 15),
    [],
  );
  t.is(steps.length, 2);
});

test('a link of a page leads to a page, and to a heading that is on it', (t) => {
  const links = everywhere(/\]\((?!https?:)([^)\s]+)\)/g);
  t.true(links.length > 20, 'links are found');
  const isDead = ({ page, name }: { page: string; name: string }) => {
    const [file = '', heading] = name.split('#');
    const target = file === '' ? page : path.join(path.dirname(page), file);
    if (!existsSync(path.join(ROOT, target))) return true;
    return heading !== undefined && !anchorsOf(read(target)).includes(heading);
  };
  t.deepEqual(links.filter(isDead), []);
});

test('a command that a page names can be given', (t) => {
  const makefile = read('Makefile');
  const targets = [...makefile.matchAll(/^([a-z-]+):/gm)].map(([, target]) => target);
  const asked = everywhere(/(?:^|`)make ([a-z][a-z-]*)/gm);
  t.true(asked.length > 20, 'commands are found');
  t.deepEqual(
    asked.filter(({ name }) => !targets.includes(name)),
    [],
  );
  const scripts = everywhere(/npm run (?:--silent )?([a-z][\w:-]*)/g);
  t.deepEqual(
    scripts.filter(({ name }) => !(name in packageFile.scripts)),
    [],
  );
});

test('every npm script is called by make or named on a page', (t) => {
  const called = [read('Makefile'), ...PAGES.map(read)].join('\n');
  const isCalled = (name: string) => {
    const [part, of] = name.split(':');
    const call = new RegExp(`(?:\\$\\(RUN\\)|npm(?: run)?(?: --silent)?) ${name}(?![\\w:-])`);
    return call.test(called) || called.includes(`make ${part} PART=${of}`);
  };
  const unused = Object.keys(packageFile.scripts).filter((name) => !isCalled(name));
  t.deepEqual(unused, []);
});

/** The headings of a page as links name them. */
function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
