import { readFile } from 'node:fs/promises';
import test from 'ava';
import packageFile from '../../../package.json' with { type: 'json' };
import { packagesPage } from '../../../jobs/cli/packages/page.ts';
import {
  directPackages,
  notLocked,
  unreviewed,
  type Lock,
} from '../../../jobs/cli/packages/packages.ts';

const read = (name: string) => readFile(new URL(`../../../${name}`, import.meta.url), 'utf8');
const lock = JSON.parse(await read('package-lock.json')) as Lock;

test('licences and install scripts of all packages have been read by a person', (t) => {
  t.deepEqual(unreviewed(lock, packageFile.allowScripts), []);
});

test('docs/packages.md is as `npm run docs:packages` writes it, and says what each package is for', async (t) => {
  t.is(await read('docs/packages.md'), packagesPage(lock));
  const silent = directPackages(lock).filter(({ purpose }) => purpose === '');
  t.deepEqual(silent, []);
});

test('the lock names every optional package of every system, and no registry', (t) => {
  t.deepEqual(notLocked(lock), []);
  t.false(JSON.stringify(lock).includes('"resolved"'));
  const some = {
    'node_modules/a': { optionalDependencies: { inside: '1', beside: '1', gone: '1' } },
    'node_modules/a/node_modules/inside': {},
    'node_modules/beside': {},
  };
  t.deepEqual(notLocked({ packages: some }), ['gone of node_modules/a']);
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

test('a package counts what comes through it alone, and finds what is nearest', (t) => {
  const own = directPackages(SMALL).map((one) => [one.name, one.own]);
  t.deepEqual(own, [
    ['other', 1],
    ['tree', 1],
  ]);
});

test('a licence nobody knows, a new install script and one that npm would run against the review are told', (t) => {
  t.deepEqual(unreviewed(SMALL, {}), ['leaf: licence GPL-3.0', 'leaf: install script']);
  const packages = { 'node_modules/koffi': { license: 'MIT', hasInstallScript: true } };
  t.deepEqual(unreviewed({ packages }, { koffi: true }), [
    'koffi: allowScripts of package.json says otherwise than INSTALL_SCRIPTS',
  ]);
});
