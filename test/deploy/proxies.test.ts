import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer as httpServer } from 'node:http';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { freePorts } from '../../bench/stage/free-ports.ts';
import { findProgram } from '../../bench/stage/find-program.ts';
import { until } from '../jobs/helpers/command.ts';
import { tempDir } from '../jobs/helpers/temp-dir.ts';

const KEY = 'hw_live_3fK9aZ0000000000000000000000000000';
/** Paths that contain a key: one in the right place, and two in wrong places. */
const PATHS = [`/api/score?api_key=${KEY}`, `/${KEY}/x`, `/%68w_live_3fK9aZ/y`];

const PATH = `${process.env.PATH}:/usr/sbin`;

/** Starts a server that answers 200, and adapts the settings of deploy/ to proxy it from a temporary folder. */
async function prepareProxy(
  t: ExecutionContext,
  file: string,
  changes: (port: number) => [RegExp, string][],
) {
  const folder = await tempDir(t);
  const upstream = httpServer((_request, answer) =>
    answer.setHeader('X-Request-Id', 'some-id').end('{}'),
  );
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  t.teardown(() => upstream.close());
  t.teardown(() => upstream.closeAllConnections());
  const [port = 0] = await freePorts(1);
  let text = await readFile(new URL(`../../deploy/${file}`, import.meta.url), 'utf8');
  text = text.replace('127.0.0.1:8080', `127.0.0.1:${(upstream.address() as AddressInfo).port}`);
  for (const [from, to] of changes(port)) {
    text = text.replaceAll(from, to.replaceAll('FOLDER', folder));
  }
  return { folder, port, text };
}

async function requestAll(port: number): Promise<number[]> {
  const statuses: number[] = [];
  for (const path of PATHS) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
    await answer?.text();
    statuses.push(answer?.status ?? 0);
  }
  return statuses;
}

(findProgram('haproxy') ? test : test.skip)(
  'HAProxy accepts its settings and logs no key',
  async (t) => {
    const { folder, port, text } = await prepareProxy(t, 'haproxy/headwind.cfg', (free) => [
      [/:8443/g, `127.0.0.1:${free}`],
    ]);
    const file = join(folder, 'headwind.cfg');
    await writeFile(file, text);
    const env = { PATH };
    t.notThrows(() => execFileSync('haproxy', ['-c', '-f', file], { env, stdio: 'pipe' }));
    const proxy = spawn('haproxy', ['-db', '-f', file], { env });
    t.teardown(() => proxy.kill('SIGKILL'));
    let log = '';
    proxy.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
    await until('the proxy answers', async () => (await requestAll(port))[0] === 200);
    t.deepEqual(await requestAll(port), [200, 200, 200]);
    await until('HAProxy has logged', () => log.split('masked').length > 2);
    t.regex(log, /GET \/api\/score 200 .*id=some-id/);
    t.notRegex(log, /3fK9aZ/);
  },
);

(findProgram('nginx') ? test : test.skip)(
  'nginx accepts its settings and logs no key',
  async (t) => {
    const { folder, port, text } = await prepareProxy(t, 'nginx/headwind.conf', (free) => [
      [/443 ssl/g, `127.0.0.1:${free}`],
      [/^ +ssl_.*$/gm, ''],
      [/\/var\/log\/nginx/g, 'FOLDER'],
    ]);
    const file = join(folder, 'nginx.conf');
    const head = `daemon off; pid ${folder}/pid; error_log ${folder}/headwind.error.log crit; events {}`;
    await writeFile(file, `${head}\nhttp {\n${text}\n}\n`);
    const env = { PATH };
    t.notThrows(() => execFileSync('nginx', ['-t', '-c', file], { env, stdio: 'pipe' }));
    const proxy = spawn('nginx', ['-c', file], { env, stdio: 'ignore' });
    t.teardown(() => proxy.kill('SIGTERM'));
    await until('the proxy answers', async () => (await requestAll(port))[0] === 200);
    const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '');
    await until('nginx has logged', async () => (await read('headwind.log')).includes('(masked)'));
    t.regex(await read('headwind.log'), /"GET \/api\/score" 200 .*id=some-id/);
    t.notRegex((await read('headwind.log')) + (await read('headwind.error.log')), /3fK9aZ/);
  },
);
