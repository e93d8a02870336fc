import test from 'ava';
import { compareCandidates, outcomeTable, type Fold } from '../../../../jobs/cli/fit/report.ts';

/** A test month with the log losses of the candidates `odds` and `sums`. */
function aFold(month: string, flights: number, odds: number, sums: number): Fold {
  const losses = new Map([
    ['odds', odds],
    ['sums', sums],
  ]);
  return { month, flights, losses };
}

const FOLDS = [aFold('2023-01', 300, 0.5, 0.49), aFold('2023-02', 100, 0.5, 0.51)];

test('a candidate is compared with the reference by mean loss per flight, and by months with a better result', (t) => {
  const [reference, candidate] = compareCandidates(FOLDS, 'odds');
  t.like(reference, { candidate: 'odds', lossDifference: 0, better: 0, months: 2 });
  t.like(candidate, { candidate: 'sums', better: 1, months: 2 });
  t.is(candidate?.lossDifference.toFixed(6), '-50.000000');
});

test('the table has a row per candidate and a column per history; a candidate missing from a history has an empty cell', (t) => {
  const outcomes = compareCandidates(FOLDS, 'odds');
  const histories = [
    { name: 'one', outcomes },
    { name: 'other', outcomes: outcomes.slice(0, 1) },
  ];
  const text = outcomeTable('against odds', histories);
  t.regex(text, /│ against odds │ one +│ other +│/);
  t.regex(text, /│ odds +│ 0\.00 \(0\/2\) +│ 0\.00 \(0\/2\) │/);
  t.regex(text, /│ sums +│ -50\.00 \(1\/2\) │ +│/);
});
