import { readFile } from 'node:fs/promises';
import test from 'ava';
import packageFile from '../../../package.json' with { type: 'json' };
import { packagesPage } from '../../../jobs/cli/packages/page.ts';
import {
  directPackages,
  listMissingFromLock,
  listUnreviewed,
  type Lock,
} from '../../../jobs/cli/packages/packages.ts';

const read = (name: string) => readFile(new URL(`../../../${name}`, import.meta.url), 'utf8');
const lock = JSON.parse(await read('package-lock.json')) as Lock;

test('all licences and install scripts are reviewed', (t) => {
  t.deepEqual(listUnreviewed(lock, packageFile.allowScripts), []);
});

test('docs/packages.md is up to date, and gives the purpose of each package', async (t) => {
  t.is(await read('docs/packages.md'), packagesPage(lock));
  const withoutPurpose = directPackages(lock).filter(({ purpose }) => purpose === '');
  t.deepEqual(withoutPurpose, []);
});

test('the lock file has an entry for every optional package of every system, and names no registry', (t) => {
  t.deepEqual(listMissingFromLock(lock), []);
  t.false(JSON.stringify(lock).includes('"resolved"'));
  const packages = {
    'node_modules/a': { optionalDependencies: { inside: '1', beside: '1', gone: '1' } },
    'node_modules/a/node_modules/inside': {},
    'node_modules/beside': {},
  };
  t.deepEqual(listMissingFromLock({ packages }), ['gone of node_modules/a']);
});

const SMALL: Lock = {
  packages: {
    '': { dependencies: { tree: '1', other: '1' } },
    'node_modules/tree': { license: 'MIT', dependencies: { leaf: '1', shared: '1' } },
    'node_modules/tree/node_modules/leaf': { license: 'GPL-3.0', dependencies: { shared: '1' } },
    'node_modules/leaf': { license: 'MIT', hasInstallScript: true },
    'node_modules/other': { license: 'MIT', dependencies: { shared: '1', leaf: '1' } },
    'node_modules/shared': { license: 'MIT' },
  },
};

test('a package counts the dependencies that only it needs, and resolves the nearest copy', (t) => {
  const counts = directPackages(SMALL).map((one) => [one.name, one.dependencyCount]);
  t.deepEqual(counts, [
    ['other', 1],
    ['tree', 1],
  ]);
});

test('an unknown licence, a new install script, and a contradiction to allowScripts are listed for review', (t) => {
  t.deepEqual(listUnreviewed(SMALL, {}), ['leaf: licence GPL-3.0', 'leaf: install script']);
  const packages = { 'node_modules/koffi': { license: 'MIT', hasInstallScript: true } };
  t.deepEqual(listUnreviewed({ packages }, { koffi: true }), [
    'koffi: allowScripts in package.json contradicts INSTALL_SCRIPTS',
  ]);
});
