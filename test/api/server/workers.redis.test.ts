import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { Redis } from 'ioredis';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { someStoreOf } from '../../helpers/store-files.ts';
import { withTheFile } from '../../helpers/with-the-file.ts';
import { isAlive, until } from '../../jobs/helpers/command.ts';
import { forkWorkers, servingApi } from '../helpers/clustered.ts';

const redis = await borrowRedis((stop) => test.after.always(stop));
const file = withTheFile((stop) => test.after.always(stop));

test.before(async () => {
  const connection = new Redis(redis.url);
  await saveToRedis(connection, someStoreOf({}));
  connection.disconnect();
});

test.serial(
  'several processes answer on one port, are told up together, and end together',
  async (t) => {
    const { child, message, pids, ask } = await servingApi(t, redis.url, 3);
    t.is(message.type, 'listening');
    const workers = pids('api listening');
    t.is(new Set(workers).size, 3);
    t.false(workers.includes(child.pid ?? 0));
    // Who is free takes a connection: some rounds may pass before each had one.
    for (let round = 0; new Set(pids('request')).size < 3 && round < 200; round++) {
      const statuses = await Promise.all(Array.from({ length: 30 }, ask));
      t.deepEqual(new Set(statuses), new Set([200]));
    }
    t.is(new Set(pids('request')).size, 3, 'all took part');

    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    t.is(code, 0);
    t.deepEqual(
      workers.filter((pid) => isAlive(pid)),
      [],
    );
  },
);

/** Two processes on one port, for the tests that follow, one after the other. */
let two: ReturnType<typeof servingApi> | undefined;
const twoServing = () => (two ??= servingApi(file, redis.url, 2));

test.serial(
  'while one process is killed under load the others go on, and another takes its place',
  async (t) => {
    const { pids, ask } = await twoServing();
    const [killed = 0] = pids('api listening');
    const load = new AbortController();
    let answered = 0;
    let broken = 0;
    const callers = Array.from({ length: 4 }, async () => {
      while (!load.signal.aborted) {
        if ((await ask()) === 200) answered += 1;
        else broken += 1;
      }
    });
    await until('load', () => answered > 50);
    process.kill(killed, 'SIGKILL');
    await until('its end is noticed', () => pids('worker ended, another starts').length === 1);
    const before = answered;
    await until('another listens', () => pids('api listening').length === 3);
    await until('it serves', () => pids('request').includes(pids('api listening')[2] ?? 0));
    load.abort();
    await Promise.all(callers);
    // Only what was in the hands of the killed process is lost: at most one request of each caller.
    t.true(broken <= callers.length, `${broken} broken`);
    t.true(answered > before);
  },
);

test.serial('a port that is taken is told once, and nothing is left running', async (t) => {
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

// The last on those.
test.serial('when the process that runs them is killed, the others end too', async (t) => {
  const { child, pids } = await twoServing();
  const workers = pids('api listening');
  child.kill('SIGKILL');
  await until('all are gone', () => !workers.some((pid) => isAlive(pid)));
  t.deepEqual(workers.filter(isAlive), []);
});
