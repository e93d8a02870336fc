import test from 'ava';
import { smallTable } from '../../../../jobs/cli/commands/backtest-tables.ts';
import type { Backtest } from '../../../../pipelines/model/backtest.ts';
import { USUAL_FLIGHTS, LATE_FLIGHTS, measureOutcomes } from '../../../helpers/scored-outcomes.ts';

const aLead = (difference: number) => ({ ours: 0.6, theirs: 0.5, difference, noise: 0.0123 });

test('a small history has a line for each kind of request, or a line with the reason it has no figures', (t) => {
  const lead = {
    rate: { with_dep_time: aLead(0.1), without_dep_time: aLead(-0.02) },
    plain: { with_dep_time: aLead(0), without_dep_time: aLead(0.004) },
  };
  const text = smallTable([
    { name: 'JFK', result: measureOutcomes([USUAL_FLIGHTS, LATE_FLIGHTS]) as Backtest, lead },
    { name: 'airline HA', why: 'too little history' },
  ]);
  t.regex(text, /^AUC and skill of forecasts from the small history only\./);
  t.regex(text, /│ JFK +│ .* │ +20 │ .* │ \+0\.100 ± 0\.012 │ \+0\.000 ± 0\.012 +│/);
  t.regex(text, /│ JFK +│ .* │ -0\.020 ± 0\.012 │ \+0\.004 ± 0\.012 +│/);
  t.regex(text, /│ airline HA +│ too little history +│/);
});
