import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { debianTool } from '../helpers/debian-tool.ts';

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const RULES = file('deploy/prometheus/rules/headwind.yml');
const promtool = debianTool('promtool', 'prometheus');
const testWithPromtool = promtool === undefined ? test.skip : test;
const run = (...args: string[]) => execFileSync(promtool ?? '', args, { encoding: 'utf8' });

testWithPromtool('rules and settings of Prometheus are as it wants them', (t) => {
  t.regex(run('check', 'rules', RULES), /SUCCESS: \d+ rules found/);
  t.regex(run('check', 'config', file('deploy/prometheus/prometheus.yml')), /SUCCESS/);
});

testWithPromtool('each alert fires in its case, alone, and is quiet before', (t) => {
  t.regex(run('test', 'rules', file('test/deploy/alerts.yml')), /SUCCESS/);
});

test('every alert has its case, its line in docs/deploy.md, and says what to do', (t) => {
  const rules = readFileSync(RULES, 'utf8');
  const cases = readFileSync(file('test/deploy/alerts.yml'), 'utf8');
  const docs = readFileSync(file('docs/deploy.md'), 'utf8');
  const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  t.is(new Set(names).size, names.length);
  for (const name of names) {
    t.true(cases.includes(`- name: ${name}\n`), name);
    t.true(docs.includes(`| \`${name}\` |`), name);
  }
  for (const part of ['summary', 'do', 'severity']) {
    t.is([...rules.matchAll(new RegExp(`\\b${part}:`, 'g'))].length, names.length, part);
  }
});
