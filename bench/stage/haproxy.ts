import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from './free-ports.ts';

export type Proxy = {
  /** Host and port. */
  address: string;
  stop: () => Promise<void>;
};

const SETTINGS = new URL('../../deploy/haproxy/headwind.cfg', import.meta.url);
const TIMEOUT_MS = 60_000;

/** Starts HAProxy in front of these servers (`host:port`), with the configuration of `deploy/`. */
export async function startHaproxy(folder: string, servers: readonly string[]): Promise<Proxy> {
  const [port = 0] = await freePorts(1);
  const address = `127.0.0.1:${port}`;
  const file = join(folder, 'haproxy.cfg');
  const lines = servers.map((server, at) => `    server replica-${at} ${server}`).join('\n');
  const settings = (await readFile(SETTINGS, 'utf8'))
    .replace('bind :8443', `bind ${address}`)
    .replace(/^ {4}server one .*$/m, lines);
  await writeFile(file, settings);
  const { PATH } = process.env;
  const env = { PATH: `${PATH}:/usr/sbin` };
  const proxy = spawn('haproxy', ['-db', '-f', file], { env, stdio: 'ignore' });
  const until = Date.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await fetch(`http://${address}/api/health`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 200) break;
    if (Date.now() > until) {
      throw new Error(`HAProxy did not answer within ${TIMEOUT_MS / 1_000} s`);
    }
    await sleep(50);
  }
  return {
    address,
    stop: async () => {
      const exit = once(proxy, 'exit');
      proxy.kill('SIGKILL');
      await exit;
    },
  };
}
