import test from 'ava';
import { compare, outcomeTable, type Fold } from '../../../../jobs/cli/fit/report.ts';

/** A held-out month in which `odds` and `sums` lost so much. */
function aFold(month: string, flights: number, odds: number, sums: number): Fold {
  const losses = new Map([
    ['odds', odds],
    ['sums', sums],
  ]);
  return { month, flights, losses };
}

const FOLDS = [aFold('2023-01', 300, 0.5, 0.49), aFold('2023-02', 100, 0.5, 0.51)];

test('a candidate is held against the reference by flights, and by the months it is better in', (t) => {
  const [reference, candidate] = compare(FOLDS, 'odds');
  t.like(reference, { candidate: 'odds', lossDifference: 0, better: 0, months: 2 });
  t.like(candidate, { candidate: 'sums', better: 1, months: 2 });
  t.is(candidate?.lossDifference.toFixed(6), '-50.000000');
});

test('the table has a line for each candidate, and a column for each history that knows it', (t) => {
  const outcomes = compare(FOLDS, 'odds');
  const histories = [
    { name: 'one', outcomes },
    { name: 'other', outcomes: outcomes.slice(0, 1) },
  ];
  const text = outcomeTable('against odds', histories);
  t.regex(text, /│ against odds │ one +│ other +│/);
  t.regex(text, /│ odds +│ 0\.00 \(0\/2\) +│ 0\.00 \(0\/2\) │/);
  t.regex(text, /│ sums +│ -50\.00 \(1\/2\) │ +│/);
});
