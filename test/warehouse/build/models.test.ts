import { readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import {
  CHECKS,
  sortModels,
  MODELS,
  listModelsFor,
  listModelsIn,
} from '../../../warehouse/build/models.ts';

const SQL_DIR = path.join(import.meta.dirname, '../../../warehouse/sql');

test('every file of marts, intermediate and checks is listed once', (t) => {
  const filesIn = (...folders: string[]) =>
    folders.flatMap((folder) => readdirSync(path.join(SQL_DIR, folder)).map(() => folder)).length;
  t.is(new Set(MODELS).size, filesIn('marts', 'intermediate'));
  t.is(new Set(CHECKS).size, filesIn('checks'));
  t.true(MODELS.length > 20);
});

test('the inputs of the effects are built before the mart of the effects', (t) => {
  t.true(MODELS.indexOf('marts/delay_effects') > MODELS.indexOf('intermediate/int_level_months'));
});

test('the model that reads the temporary tables of the effects is built after the effects', (t) => {
  const learnedOdds = MODELS.indexOf('intermediate/int_learned_odds');
  t.true(learnedOdds > MODELS.indexOf('marts/delay_effects'));
  t.true(listModelsFor('marts/delay_level').includes('marts/delay_effects'));
});

test('a model is built after the models it reads, otherwise by name', (t) => {
  const order = sortModels([
    { name: 'marts/a', reads: ['marts/c', 'intermediate/int_b'] },
    { name: 'marts/c', reads: [] },
    { name: 'intermediate/int_b', reads: ['marts/c'] },
    { name: 'marts/d', reads: ['marts/unknown'] },
  ]);
  t.deepEqual(order, ['marts/c', 'intermediate/int_b', 'marts/a', 'marts/d']);
});

test('models that read each other are refused, with their names', (t) => {
  const models = [
    { name: 'marts/a', reads: ['marts/b'] },
    { name: 'marts/b', reads: ['marts/a'] },
    { name: 'marts/c', reads: [] },
  ];
  t.throws(() => sortModels(models), {
    message: 'some of these SQL models read each other in a circle: marts/a, marts/b',
  });
});

test('a model named only in a comment is not a dependency', (t) => {
  const sql = `-- as marts.network does
    select * from intermediate.int_airport_days -- not marts.months
    inner join marts.route_otp using (origin)`;
  t.deepEqual(listModelsIn(sql), ['intermediate/int_airport_days', 'marts/route_otp']);
});

test('a model needs exactly the models it reads, directly or indirectly', (t) => {
  const neededModels = listModelsFor('marts/route_carrier_otp');
  t.is(neededModels.at(-1), 'marts/route_carrier_otp');
  t.true(neededModels.includes('intermediate/int_month_weights'));
  t.false(neededModels.includes('marts/delay_effects'));
});
