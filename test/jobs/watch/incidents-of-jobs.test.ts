import test from 'ava';
import {
  modelNews,
  signalsOfDone,
  signalsOfFailed,
  titleOf,
} from '../../../jobs/watch/incidents-of-jobs.ts';
import { aReport } from '../helpers/fake-steps.ts';

const nightly = { name: 'nightly', id: 'repeat:nightly:1', data: {} };
const FAILING = [
  { check: 'rates', severity: 'error' as const, failures: 3 },
  { check: 'fresh', severity: 'warn' as const, failures: 1 },
];

test('a night that its checks stopped is told as failing checks, any other as a failed job', (t) => {
  t.deepEqual(signalsOfFailed(nightly, new Error('not published'), FAILING), [
    {
      key: 'checks',
      kind: 'checks.failed',
      isWell: false,
      text: 'Nothing is published until these checks pass: rates (3 rows)',
    },
  ]);
  t.deepEqual(signalsOfFailed(nightly, new Error('disk full'), []), [
    { key: 'job nightly', kind: 'job.failed', isWell: false, text: 'nightly failed: disk full' },
  ]);
});

test('a build that is done tells whether its checks pass', (t) => {
  const build = { name: 'build-features', id: 'build-features', data: {} };
  t.like(signalsOfDone(build, {}, FAILING)[1], { key: 'checks', isWell: false });
  t.like(signalsOfDone(build, {}, [])[1], { key: 'checks', isWell: true });
  t.is(signalsOfDone({ ...build, name: 'refresh-news' }, {}, FAILING).length, 1);
});

test('a refusal ends with a later load of the same month, not of the same month of the delay-cause table', (t) => {
  const file = { name: 'extract-file', id: 'extract-file-x', data: {} };
  const flights = aReport('a.csv', ['2018-01'], ['2018-01']);
  const table = aReport('table.csv', ['2018-01']);
  table.source.form = 'delay_causes';
  t.like(signalsOfDone(file, flights, [])[1], { key: 'refused 2018-01', isWell: false });
  const ofTable = { key: 'refused 2018-01 of the delay-cause table', isWell: true };
  t.like(signalsOfDone(file, table, [])[1], ofTable);
  const month = { name: 'extract-month', id: 'x', data: { month: '2018-01' } };
  const told = (outcome: string) => signalsOfDone(month, { month: '2018-01', outcome }, []);
  t.like(told('done')[1], { key: 'refused 2018-01', isWell: true });
  t.is(told('absent').length, 1);
});

test('a file that fails is told once, however it was asked for, and not again by its load', (t) => {
  const data = { sha256: '0123456789abcdef' };
  const extract = { name: 'extract-file', id: 'extract-file-0123456789ab-2018-force', data };
  t.is(titleOf(extract), 'extract-file 0123456789ab');
  const deferredFailure = 'child bull:extract:extract-file-0123456789ab failed';
  const load = { name: 'load-months', id: 'load-file-0123456789ab', data, deferredFailure };
  t.deepEqual(signalsOfFailed(load, new Error(deferredFailure), []), []);
});

test('keys whose record makes no sense are told by the archive until there are none', (t) => {
  const job = { name: 'archive-keys', id: 'x', data: {} };
  const why = 'the record of key hw_live_abcdef makes no sense: until';
  const [, signal] = signalsOfDone(job, { keys: 2, lost: 0, broken: [why] }, []);
  t.like(signal, { key: 'keys', kind: 'keys.broken', isWell: false });
  t.true(signal?.isWell === false && signal.text.includes(why));
  t.like(signalsOfDone(job, { keys: 2, lost: 0, broken: [] }, [])[1], { isWell: true });
});

test('months go by themselves, scheduled runs by what they do', (t) => {
  const month = { name: 'extract-weather-month', id: 'x', data: { month: '2016-01' } };
  t.is(titleOf(month), 'extract-weather-month 2016-01');
  t.is(titleOf(nightly), 'nightly');
});

test('a model is told when it is released, refused or could not be trained', (t) => {
  t.like(modelNews({ ...nightly, name: 'train' }, { isReleased: true, why: 'released' }), {
    kind: 'model.released',
  });
  t.like(modelNews(nightly, { training: { problem: 'no xgboost' } }), {
    kind: 'model.refused',
    text: 'No model was trained: no xgboost',
  });
  t.is(modelNews(nightly, {}), undefined);
});
