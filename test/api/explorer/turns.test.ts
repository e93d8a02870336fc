import { readdir, readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import test from 'ava';
import { pack } from '../../../api/explorer/drawing-thread.ts';
import { inTurns } from '../../../api/explorer/endpoints/turns.ts';

test('pages together have one turn in each round of the event loop, the longest waiting first', async (t) => {
  let [round, isWorking] = [0, true];
  const next = () => {
    round += 1;
    if (isWorking) setImmediate(next);
  };
  setImmediate(next);
  const turns: [round: number, page: number][] = [];
  const work = (page: number) => () => {
    turns.push([round, page]);
    // Longer than a turn, so that each has one item.
    const until = performance.now() + 0.5;
    while (performance.now() < until);
    return page;
  };
  const items = [1, 2, 3];
  const made = await Promise.all([1, 2, 3, 4].map((page) => inTurns(items, work(page))));
  isWorking = false;
  t.deepEqual(
    made,
    [1, 2, 3, 4].map((page) => [page, page, page]),
  );
  t.is(new Set(turns.map(([at]) => at)).size, turns.length, 'each in a round of its own');
  t.deepEqual(
    turns.map(([, page]) => page),
    [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4],
  );
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('what is drawn and packed for visitors gives way to what answers', async (t) => {
  await pack('text', 'gzip');
  const threads = await readdir('/proc/self/task');
  const nice = await Promise.all(
    threads.map(async (id) => {
      const stat = await readFile(`/proc/self/task/${id}/stat`, 'utf8');
      // The 19th field; the name of the thread, in brackets, may hold blanks.
      return [id, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])] as const;
    }),
  );
  const own = nice.find(([id]) => id === String(process.pid))?.[1] ?? Number.NaN;
  const lower = Math.max(own, constants.priority.PRIORITY_BELOW_NORMAL);
  t.true(nice.some(([, one]) => one === lower));
});
