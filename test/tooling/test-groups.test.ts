import test from 'ava';
import { groupFiles } from '../helpers/test-groups.ts';

test('every file is in one group, with neighbours of its room, in groups of similar size', (t) => {
  const api = Array.from({ length: 26 }, (_, at) => `api/${at}.test.ts`);
  const groups = groupFiles([...api, 'docs.test.ts', 'ground/numbers.test.ts']);
  t.deepEqual([...groups.keys()], ['api-1', 'api-2', 'api-3', 'docs-4', 'ground-5']);
  t.deepEqual(
    [...groups.values()].map((files) => files.length),
    [9, 9, 8, 1, 1],
  );
  t.deepEqual([...groups.values()].flat(), [...api, 'docs.test.ts', 'ground/numbers.test.ts']);
});
