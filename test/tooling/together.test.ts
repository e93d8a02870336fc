import test from 'ava';
import { groupsOf } from '../helpers/together.ts';

test('files that share processes are each in one, with neighbours of their room, in groups of like size', (t) => {
  const api = Array.from({ length: 26 }, (_, at) => `api/${at}.test.ts`);
  const groups = groupsOf([...api, 'docs.test.ts', 'ground/sum.test.ts']);
  t.deepEqual([...groups.keys()], ['api-1', 'api-2', 'api-3', 'docs-4', 'ground-5']);
  t.deepEqual(
    [...groups.values()].map((files) => files.length),
    [9, 9, 8, 1, 1],
  );
  t.deepEqual([...groups.values()].flat(), [...api, 'docs.test.ts', 'ground/sum.test.ts']);
});
