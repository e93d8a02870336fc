import test from 'ava';
import {
  modelNews,
  signalsOfDone,
  signalsOfFailed,
  titleOf,
} from '../../../jobs/watch/incidents-of-jobs.ts';

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
