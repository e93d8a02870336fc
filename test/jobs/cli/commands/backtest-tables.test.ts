import test from 'ava';
import { smallTable } from '../../../../jobs/cli/commands/backtest-tables.ts';
import type { Backtest } from '../../../../pipelines/model/backtest.ts';
import { CALM, LATE, measured } from '../../../helpers/scored.ts';

const than = (difference: number) => ({ ours: 0.6, theirs: 0.5, difference, noise: 0.0123 });

test('small histories have a line for each way to ask, and one that is too little says why', (t) => {
  const lead = {
    rate: { with_dep_time: than(0.1), without_dep_time: than(-0.02) },
    plain: { with_dep_time: than(0), without_dep_time: than(0.004) },
  };
  const text = smallTable([
    { name: 'JFK', result: measured([CALM, LATE]) as Backtest, lead },
    { name: 'airline HA', why: 'too little history' },
  ]);
  t.regex(text, /^AUC and skill; the small history alone is known\./);
  t.regex(text, /│ JFK +│ .* │ +20 │ .* │ \+0\.100 ± 0\.012 │ \+0\.000 ± 0\.012 +│/);
  t.regex(text, /│ JFK +│ .* │ -0\.020 ± 0\.012 │ \+0\.004 ± 0\.012 +│/);
  t.regex(text, /│ airline HA +│ too little history +│/);
});
