import test from 'ava';
import { historyState } from '../../../warehouse/store/history-state.ts';

const stateWith = (flights: string | undefined, levels: string | undefined) =>
  historyState({ flights, levels }, new Date('2026-11-22T12:00:00Z'));

test('flights up to 24 months old and levels up to 12 months old are recent', (t) => {
  t.is(stateWith('2024-11', '2025-11'), 'ok');
  t.is(stateWith('2024-10', '2025-11'), 'old_flights');
  t.is(stateWith('2024-11', '2025-10'), 'old_levels');
  t.is(stateWith('2024-10', '2025-10'), 'old');
});

test('flights also give levels, and a history without months is old', (t) => {
  t.is(stateWith('2025-11', undefined), 'ok');
  t.is(stateWith('2025-11', '2020-01'), 'ok');
  t.is(stateWith('2025-10', undefined), 'old_levels');
  t.is(stateWith(undefined, '2026-08'), 'old_flights');
  t.is(stateWith(undefined, undefined), 'old');
});
