import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { killPeriods, killsOfPoints } from '../../bench/chaos/deploy-verdict.ts';
import { CONDITION_NAMES, conditionOf } from '../../warehouse/live/conditions.ts';
import { debianTool } from '../helpers/debian-tool.ts';

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const RULES = file('deploy/prometheus/rules/headwind.yml');
const promtool = debianTool('promtool', 'prometheus');
const testWithPromtool = promtool === undefined ? test.skip : test;
const run = (...args: string[]) => execFileSync(promtool ?? '', args, { encoding: 'utf8' });

testWithPromtool('promtool accepts the rules and settings of Prometheus', (t) => {
  t.regex(run('check', 'rules', RULES), /SUCCESS: \d+ rules found/);
  t.regex(run('check', 'config', file('deploy/prometheus/prometheus.yml')), /SUCCESS/);
});

testWithPromtool(
  'in its case, each alert is quiet at first, and then no other alert fires',
  (t) => {
    t.regex(run('test', 'rules', file('test/deploy/alerts.yml')), /SUCCESS/);
  },
);

test('every alert has a case, a line in docs/deploy.md, a summary, an action and a severity', (t) => {
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

test('every condition has an alert, and a line in docs/operations.md with its state', (t) => {
  const rules = readFileSync(RULES, 'utf8');
  const docs = readFileSync(file('docs/operations.md'), 'utf8');
  for (const kind of CONDITION_NAMES) {
    t.true(rules.includes(`headwind_condition{condition="${kind}"}`), kind);
    t.regex(docs, new RegExp(`^\\| \`${kind}\` \\| ${conditionOf(kind).state} \\|`, 'm'), kind);
  }
  const conditions = [...rules.matchAll(/condition="([\w.]+)"/g)].map(([, name = '']) => name);
  t.deepEqual(new Set(conditions).symmetricDifference(new Set<string>(CONDITION_NAMES)), new Set());
  t.is(conditions.length, CONDITION_NAMES.length);
});

test('a point with errors belongs to the last kill that made calls fail in its minute', (t) => {
  const done = [
    { at: 100_000, name: 'one' },
    { at: 110_000, name: 'two' },
    { at: 300_000, name: 'three' },
  ];
  const answer = (at: number, status: number) => ({
    at,
    endedAt: at + 500,
    status,
    isWrong: false,
  });
  const answers = [answer(101_000, 503), answer(120_000, 200), answer(300_000, 0)];
  const periods = killPeriods(answers, done);
  t.deepEqual(
    periods.map(({ until }) => until),
    [101_500, 110_000, 300_500],
  );
  const points = [99_000, 115_000, 161_000, 162_000, 305_000, 361_000];
  const owners = [undefined, 'one', 'one', undefined, 'three', undefined];
  t.deepEqual(killsOfPoints(points, periods, 60_000), owners);
});
