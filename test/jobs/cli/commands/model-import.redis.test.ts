import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { linear, sigmoid } from '../../../../models/onnx/blocks.ts';
import { FEATURES } from '../../../../models/features.ts';
import type { Models } from '../../../../jobs/cli/status/models.ts';
import { findModel } from '../../../../pipelines/model/released-model.ts';
import { readRuns, listRunIds } from '../../../../warehouse/lake/ledger.ts';
import { dataPaths } from '../../../../warehouse/paths.ts';
import { aForeignFile } from '../../../models/helpers/foreign.ts';
import { fillLake } from '../../helpers/lake.ts';
import { commandsHere } from '../../helpers/program-here.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

/** A lake of six months, in which two thirds of B6's flights and one sixth of DL's are late. */
async function aLake(t: ExecutionContext) {
  const dataDir = await tempDir(t);
  const paths = dataPaths(dataDir);
  await fillLake(t, paths.lakeDir, { from: '2018-01', to: '2018-06' });
  return {
    paths,
    file: (name: string) => path.join(dataDir, name),
    run: commandsHere({ DATA_DIR: dataDir }),
    runs: async () => readRuns(paths.runsDir, await listRunIds(paths.runsDir)),
  };
}

/** A logistic model that uses only the airline's effect, with this weight. */
function aModelOf(weight: number): Uint8Array {
  return aForeignFile((graph) => {
    const weights = FEATURES.map(({ name }) => (name === 'carrier_effect' ? weight : 0));
    return sigmoid(graph, linear(graph, { weights, intercept: -0.4, fill: weights.map(() => 0) }));
  });
}

test('a better model is released, pinned, listed and removed; a worse one is only stored', async (t) => {
  const { paths, file, run, runs } = await aLake(t);
  await writeFile(file('good.onnx'), aModelOf(1));
  await writeFile(file('bad.onnx'), aModelOf(-1));

  const refused = await run('model-import', '--', file('good.onnx'));
  t.is(refused.code, 1);
  t.regex(
    refused.out,
    /^not released: regional: .* To release it anyway: make model-import FILE=… ACCEPT=regional\n/,
  );

  const good = await run('model-import', '--accept', 'regional', file('good.onnx'));
  t.is(good.code, 0, good.err);
  t.regex(good.out, /^released: on 21,000 flights of 2018-05 to 2018-06 its Brier score is /);
  const { model } = await findModel(paths.modelsDir);
  t.is(model?.origin, 'imported');
  t.is(model?.fallback?.version.length, 12);
  t.like((await runs()).at(-1), {
    step: 'import',
    outcome: 'done',
    inputs: [{ name: 'good.onnx' }],
    detail: { isReleased: true, version: model?.version },
  });

  const bad = await run('model-import', '--accept', 'regional', file('bad.onnx'));
  t.is(bad.code, 1);
  t.regex(bad.out, /^not released: .* \(skill -0\.\d+\)\nModel [0-9a-f]{12}: log loss /);
  t.regex(bad.out, /\nTo serve it anyway: make model-pin publish VERSION=/);
  t.is((await findModel(paths.modelsDir)).model?.version, model?.version);

  const list = JSON.parse((await run('model', '--json')).out) as Models;
  t.deepEqual(list.models.map(({ origin }) => origin).toSorted(), [
    'bundled',
    'imported',
    'imported',
  ]);
  const removed = await run('model-remove');
  t.is(removed.out, `Removed: imported model ${model?.version}.\nNext: make publish\n`);
  t.is((await findModel(paths.modelsDir)).model?.origin, 'bundled');
});

test('a file that is not a model is refused, and nothing is stored', async (t) => {
  const { paths, file, run, runs } = await aLake(t);
  await writeFile(file('text.onnx'), 'no model');
  const result = await run('model-import', file('text.onnx'));
  t.is(result.code, 1);
  t.regex(result.err, /Nothing was imported: not a complete ONNX file/);
  t.like((await runs()).at(-1), { step: 'import', outcome: 'failed' });
  t.is((await findModel(paths.modelsDir)).model?.origin, 'bundled');
  t.regex((await run('model-import', file('none.onnx'))).err, /none.onnx does not exist/);
});

test('model-rows writes the rows of trainings and of test flights, with every feature', async (t) => {
  const { file, run } = await aLake(t);
  const result = await run('model-rows', file('rows.csv'));
  t.is(result.code, 0, result.err);
  t.regex(
    result.out,
    /rows.csv: \d+ forecast, \d+ served, \d+ test rows\. Months for tests: 2018-05, 2018-06\.\n/,
  );
  const [head = '', ...lines] = (await readFile(file('rows.csv'), 'utf8')).trim().split('\n');
  const names = head.split(',');
  t.deepEqual(names, [
    ...['part', 'month', 'flight_date', 'case_id', 'share', 'flights', 'delayed', 'level_shift'],
    ...FEATURES.map(({ name }) => name),
  ]);
  const rows = lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
  const test = rows.filter(({ part }) => part === 'test');
  const flights = test.reduce((sum, row) => sum + Number(row['flights']), 0);
  t.is(flights, 21_000);
  t.deepEqual([...new Set(test.map(({ month }) => month))], ['2018-05-01', '2018-06-01']);
  t.true(test.every(({ flight_date, month }) => flight_date?.slice(0, 7) === month?.slice(0, 7)));
  const trained = rows.filter(({ part }) => part !== 'test');
  t.true(trained.every(({ month }) => (month ?? '') < '2018-05-01'));
  t.deepEqual([...new Set(trained.map(({ weekday_odds: odds }) => odds))], ['0.0']);
});
