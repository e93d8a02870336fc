import test from 'ava';
import { historyState } from '../../../warehouse/store/history-state.ts';

const at = (flights: string | undefined, levels: string | undefined) =>
  historyState({ flights, levels }, new Date('2026-11-22T12:00:00Z'));

test('flights of two years and levels of one are recent, to the month', (t) => {
  t.is(at('2024-11', '2025-11'), 'ok');
  t.is(at('2024-10', '2025-11'), 'old_flights');
  t.is(at('2024-11', '2025-10'), 'old_levels');
  t.is(at('2024-10', '2025-10'), 'old');
});

test('flights tell levels too, and none of either is old', (t) => {
  t.is(at('2025-11', undefined), 'ok');
  t.is(at('2025-11', '2020-01'), 'ok');
  t.is(at('2025-10', undefined), 'old_levels');
  t.is(at(undefined, '2026-08'), 'old_flights');
  t.is(at(undefined, undefined), 'old');
});
