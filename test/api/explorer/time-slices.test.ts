import { readdir, readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import test from 'ava';
import { compressInThread } from '../../../api/explorer/drawing-thread.ts';
import { mapInSlices } from '../../../api/explorer/endpoints/time-slices.ts';

test('each turn of the event loop computes one slice of one page; the page that has waited longest is first', async (t) => {
  let [round, isWorking] = [0, true];
  const next = () => {
    round += 1;
    if (isWorking) setImmediate(next);
  };
  setImmediate(next);
  const slices: [round: number, page: number][] = [];
  const work = (page: number) => () => {
    slices.push([round, page]);
    // Each item takes longer than a slice, so that each slice has one item.
    const until = performance.now() + 0.5;
    while (performance.now() < until);
    return page;
  };
  const items = [1, 2, 3];
  const results = await Promise.all([1, 2, 3, 4].map((page) => mapInSlices(items, work(page))));
  isWorking = false;
  t.deepEqual(
    results,
    [1, 2, 3, 4].map((page) => [page, page, page]),
  );
  t.is(new Set(slices.map(([at]) => at)).size, slices.length, 'each slice has its own round');
  t.deepEqual(
    slices.map(([, page]) => page),
    [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4],
  );
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('the drawing thread has a lower priority than the thread that answers calls', async (t) => {
  await compressInThread('text', 'gzip');
  const threads = await readdir('/proc/self/task');
  const nice = await Promise.all(
    threads.map(async (id) => {
      const stat = await readFile(`/proc/self/task/${id}/stat`, 'utf8');
      // The nice value is field 19. The thread name, in brackets, may contain spaces.
      return [id, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])] as const;
    }),
  );
  const own = nice.find(([id]) => id === String(process.pid))?.[1] ?? Number.NaN;
  const lower = Math.max(own, constants.priority.PRIORITY_BELOW_NORMAL);
  t.true(nice.some(([, one]) => one === lower));
});
