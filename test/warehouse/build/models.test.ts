import { readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { CHECKS, inOrder, MODELS, modelsFor, modelsIn } from '../../../warehouse/build/models.ts';

const SQL_DIR = path.join(import.meta.dirname, '../../../warehouse/sql');

test('every file of marts, intermediate and checks is found, once', (t) => {
  const filesIn = (...folders: string[]) =>
    folders.flatMap((folder) => readdirSync(path.join(SQL_DIR, folder)).map(() => folder)).length;
  t.is(new Set(MODELS).size, filesIn('marts', 'intermediate'));
  t.is(new Set(CHECKS).size, filesIn('checks'));
  t.true(MODELS.length > 20);
});

test('what the effects are worked out from is built before the mart of them', (t) => {
  t.true(MODELS.indexOf('marts/delay_effects') > MODELS.indexOf('intermediate/int_level_months'));
});

test('what the effects leave in temporary tables is kept after them', (t) => {
  const kept = MODELS.indexOf('intermediate/int_learned_odds');
  t.true(kept > MODELS.indexOf('marts/delay_effects'));
  t.true(modelsFor('marts/delay_level').includes('marts/delay_effects'));
});

test('a model is built after those it reads, and otherwise by name', (t) => {
  const order = inOrder([
    { name: 'marts/a', reads: ['marts/c', 'intermediate/int_b'] },
    { name: 'marts/c', reads: [] },
    { name: 'intermediate/int_b', reads: ['marts/c'] },
    { name: 'marts/d', reads: ['marts/unknown'] },
  ]);
  t.deepEqual(order, ['marts/c', 'intermediate/int_b', 'marts/a', 'marts/d']);
});

test('models that read each other are refused by name', (t) => {
  const models = [
    { name: 'marts/a', reads: ['marts/b'] },
    { name: 'marts/b', reads: ['marts/a'] },
    { name: 'marts/c', reads: [] },
  ];
  t.throws(() => inOrder(models), { message: 'models read each other: marts/a, marts/b' });
});

test('a model that is only named in a comment is not read', (t) => {
  const sql = `-- as marts.network does
    select * from intermediate.int_airport_days -- not marts.months
    inner join marts.route_otp using (origin)`;
  t.deepEqual(modelsIn(sql), ['intermediate/int_airport_days', 'marts/route_otp']);
});

test('what a model needs is all it reads, also through others, and nothing else', (t) => {
  const needed = modelsFor('marts/route_carrier_otp');
  t.is(needed.at(-1), 'marts/route_carrier_otp');
  t.true(needed.includes('intermediate/int_month_weights'));
  t.false(needed.includes('marts/delay_effects'));
});
