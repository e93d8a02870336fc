import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { Redis } from 'ioredis';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { storeFilesOf } from '../../helpers/store-files.ts';
import { fileTeardown } from '../../helpers/file-teardown.ts';
import { isAlive, until } from '../../jobs/helpers/command.ts';
import { forkWorkers, startServingApi } from '../helpers/clustered.ts';

const redis = await borrowRedis((stop) => test.after.always(stop));
const file = fileTeardown((stop) => test.after.always(stop));

test.before(async () => {
  const connection = new Redis(redis.url);
  await saveToRedis(connection, storeFilesOf({}));
  connection.disconnect();
});

test.serial(
  'several processes answer on one port, report their start together, and end together',
  async (t) => {
    const { child, message, pids, sendRequest } = await startServingApi(t, redis.url, 3);
    t.is(message.type, 'listening');
    const workers = pids('api listening');
    t.is(new Set(workers).size, 3);
    t.false(workers.includes(child.pid ?? 0));
    // Any free process may accept a connection, so it may take several rounds until each process gets one.
    for (let round = 0; new Set(pids('request')).size < 3 && round < 200; round++) {
      const statuses = await Promise.all(Array.from({ length: 30 }, sendRequest));
      t.deepEqual(new Set(statuses), new Set([200]));
    }
    t.is(new Set(pids('request')).size, 3, 'all processes answered');

    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    t.is(code, 0);
    t.deepEqual(
      workers.filter((pid) => isAlive(pid)),
      [],
    );
  },
);

/** Two processes on one port, shared by the following serial tests. */
let two: ReturnType<typeof startServingApi> | undefined;
const twoServing = () => (two ??= startServingApi(file, redis.url, 2));

test.serial(
  'when one process is killed under load, the others continue and a new one replaces it',
  async (t) => {
    const { pids, sendRequest } = await twoServing();
    const [killed = 0] = pids('api listening');
    const load = new AbortController();
    let answered = 0;
    let broken = 0;
    const callers = Array.from({ length: 4 }, async () => {
      while (!load.signal.aborted) {
        if ((await sendRequest()) === 200) answered += 1;
        else broken += 1;
      }
    });
    await until('load', () => answered > 50);
    process.kill(killed, 'SIGKILL');
    await until(
      'the end of the process is logged',
      () => pids('worker ended, another starts').length === 1,
    );
    const before = answered;
    await until('another listens', () => pids('api listening').length === 3);
    await until('it serves', () => pids('request').includes(pids('api listening')[2] ?? 0));
    load.abort();
    await Promise.all(callers);
    // Only requests in the killed process are lost: at most one per caller.
    t.true(broken <= callers.length, `${broken} broken`);
    t.true(answered > before);
  },
);

test.serial('a port in use is reported once, and no process keeps running', async (t) => {
  const { message } = await twoServing();
  const second = await forkWorkers(t, redis.url, 2, { PORT: String(message.port) });
  const [out, err, [code]] = await Promise.all([
    text(second.stdout!),
    text(second.stderr!),
    once(second, 'exit') as Promise<[number | null]>,
  ]);
  t.is(code, 1);
  t.false(out.includes('api listening'));
  t.regex(err, new RegExp(`^Port ${message.port} on 127.0.0.1 is taken\\. [^\\n]*\\n$`));
});

// This test must be the last one, because it ends the two processes.
test.serial('when the primary process is killed, its workers end too', async (t) => {
  const { child, pids } = await twoServing();
  const workers = pids('api listening');
  child.kill('SIGKILL');
  await until('all workers have ended', () => !workers.some((pid) => isAlive(pid)));
  t.deepEqual(workers.filter(isAlive), []);
});
