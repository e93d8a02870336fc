import test from 'ava';
import {
  modelNews,
  signalsOfDone,
  signalsOfFailed,
  titleOf,
} from '../../../jobs/watch/incidents-of-jobs.ts';
import { ChecksFailedError } from '../../../pipelines/errors.ts';
import { aReport } from '../helpers/fake-steps.ts';

const nightly = { name: 'nightly', id: 'repeat:nightly:1', data: {} };

test('checks.failed reports a nightly run that checks stopped; any other failure of the run is job.failed', (t) => {
  const stopped = new Error('not published', { cause: new ChecksFailedError(['rates']) });
  t.deepEqual(signalsOfFailed(nightly, stopped), []);
  t.deepEqual(signalsOfFailed(nightly, new Error('disk full')), [
    {
      key: 'job nightly',
      kind: 'job.failed',
      isResolved: false,
      text: 'nightly failed: disk full',
    },
  ]);
});

test('a refusal ends when the same month is loaded, but not when that month of the delay-cause table is loaded', (t) => {
  const file = { name: 'extract-file', id: 'extract-file-x', data: {} };
  const flights = aReport('a.csv', ['2018-01'], ['2018-01']);
  const table = aReport('table.csv', ['2018-01']);
  table.source.form = 'delay_causes';
  t.like(signalsOfDone(file, flights)[1], { key: 'refused 2018-01', isResolved: false });
  const tableSignal = { key: 'refused 2018-01 of the delay-cause table', isResolved: true };
  t.like(signalsOfDone(file, table)[1], tableSignal);
  const month = { name: 'extract-month', id: 'x', data: { month: '2018-01' } };
  const signals = (outcome: string) => signalsOfDone(month, { month: '2018-01', outcome });
  t.like(signals('done')[1], { key: 'refused 2018-01', isResolved: true });
  t.is(signals('absent').length, 1);
});

test('a refused month of a provider is an incident of its own', (t) => {
  const file = { name: 'extract-file', id: 'extract-file-x', data: {} };
  const british = aReport('caa.csv', ['2018-01'], ['2018-01']);
  british.source.provider = 'caa';
  t.like(signalsOfDone(file, british)[1], { key: 'refused 2018-01 of caa', isResolved: false });
});

test('a file that fails is reported once, with any options, and its load does not report it again', (t) => {
  const data = { sha256: '0123456789abcdef' };
  const extract = { name: 'extract-file', id: 'extract-file-0123456789ab-2018-force', data };
  t.is(titleOf(extract), 'extract-file 0123456789ab');
  const deferredFailure = 'child bull:extract:extract-file-0123456789ab failed';
  const load = { name: 'load-months', id: 'load-file-0123456789ab', data, deferredFailure };
  t.deepEqual(signalsOfFailed(load, new Error(deferredFailure)), []);
});

test('the archive reports invalid keys until there are none', (t) => {
  const job = { name: 'archive-keys', id: 'x', data: {} };
  const why = 'the record of key hw_live_abcdef is broken: until';
  const [, signal] = signalsOfDone(job, { keys: 2, broken: [why] });
  t.like(signal, { key: 'keys', kind: 'keys.broken', isResolved: false });
  t.true(signal?.isResolved === false && signal.text.includes(why));
  t.like(signalsOfDone(job, { keys: 2, broken: [], damaged: [] })[1], { isResolved: true });
});

test('the title of a job has its month; the title of a scheduled run is its name', (t) => {
  const month = { name: 'extract-weather-month', id: 'x', data: { month: '2016-01' } };
  t.is(titleOf(month), 'extract-weather-month 2016-01');
  t.is(titleOf(nightly), 'nightly');
});

test('a model is reported when it is released or refused, or when its training fails', (t) => {
  t.like(modelNews({ ...nightly, name: 'train' }, { isReleased: true, why: 'released' }), {
    kind: 'model.released',
  });
  t.like(modelNews(nightly, { training: { problem: 'no xgboost' } }), {
    kind: 'model.refused',
    text: 'No model was trained: no xgboost',
  });
  t.is(modelNews(nightly, {}), undefined);
});
