import test from 'ava';
import { roundsOf } from '../../bench/against/rounds.ts';
import { chooseParts } from '../../bench/parts.ts';

const namesOf = (parts: [string, unknown][]) => parts.map(([name]) => name);

test('without names, all parts run; against another version, those that compare', (t) => {
  t.true(namesOf(chooseParts([])).includes('watches'));
  t.deepEqual(namesOf(chooseParts([], 'HEAD')), ['api', 'ingest', 'nightly']);
  t.deepEqual(namesOf(chooseParts(['nightly', 'api'], 'HEAD')), ['api', 'nightly']);
});

test('a part that cannot compare versions is refused', (t) => {
  t.deepEqual(namesOf(chooseParts(['watches'])), ['watches']);
  t.throws(() => chooseParts(['watches', 'api'], 'HEAD'), {
    message: 'unknown part: watches; the parts that compare versions are api, ingest, nightly',
  });
  t.throws(() => chooseParts(['wathces']), { message: /^unknown part: wathces; the parts are / });
});

test('each side is first in half of the rounds, after a round that warms up', (t) => {
  const rounds = [...roundsOf(4, () => undefined)];
  t.deepEqual(
    rounds.map(({ isWarmUp }) => isWarmUp),
    [true, false, false, false, false],
  );
  const first = rounds.slice(1).map(({ inOrder }) => inOrder(['before', 'now'])[0]);
  t.deepEqual(first, ['now', 'before', 'now', 'before']);
});
