import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAlertHook } from '../stage/alert-hook.ts';

const DEPLOY = path.resolve(import.meta.dirname, '../../deploy/prometheus');

/** Prometheus and Alertmanager with the rules of deploy/, and the address alerts go to. */
export type Watch = {
  /** Waits until the alert arrived as `firing` or `resolved`, or is `quiet`: the latter or never arrived; gives the seconds. */
  until: (alert: string, status: 'firing' | 'resolved' | 'quiet') => Promise<number>;
  /** Answers of Prometheus' HTTP API. */
  ask: (address: string, query: Record<string, string>) => Promise<unknown[]>;
  stop: () => void;
};

/** However busy the machine: what is waited for is said by Alertmanager, and this long only where it never comes. */
const PATIENCE_MS = 300_000;

/** Waits and windows in seconds in place of minutes; the one threshold no bench can reach is lowered. */
function hastened(rules: string): string {
  return rules
    .replaceAll(/\bfor: \w+/g, 'for: 1s')
    .replaceAll(/\[(?:5m|15m|1h)\]/g, '[10s]')
    .replace('> 800e6', '> 50e6');
}

export type WatchPorts = {
  api: number;
  /** Of an API that is there at times. */
  otherApi: number;
  worker: number;
  prometheus: number;
  alertmanager: number;
  hook: number;
};

/** Writes the files of deploy/ with these ports, hastened. */
async function writeSettings(folder: string, ports: WatchPorts): Promise<void> {
  await mkdir(path.join(folder, 'rules'), { recursive: true });
  const read = (name: string) => readFile(path.join(DEPLOY, name), 'utf8');
  const rules = hastened(await read('rules/headwind.yml'));
  await writeFile(path.join(folder, 'rules/headwind.yml'), rules);
  const prometheus = (await read('prometheus.yml'))
    .replaceAll('15s', '1s')
    .replace('127.0.0.1:9464', `127.0.0.1:${ports.api}`)
    .replace('127.0.0.1:9465', `127.0.0.1:${ports.worker}`)
    .replace('127.0.0.1:9093', `127.0.0.1:${ports.alertmanager}`);
  const other = `  - job_name: other\n    static_configs:\n      - targets: ['127.0.0.1:${ports.otherApi}']\n`;
  await writeFile(path.join(folder, 'prometheus.yml'), prometheus + other);
  const alertmanager = (await read('alertmanager.yml'))
    .replace('group_wait: 10s', 'group_wait: 0s')
    .replace('group_interval: 1m', 'group_interval: 1s')
    .replace('http://127.0.0.1:9099', `http://127.0.0.1:${ports.hook}`);
  await writeFile(path.join(folder, 'alertmanager.yml'), alertmanager);
}

/** Starts them; `ports` are free ones. */
export async function startWatch(folder: string, ports: WatchPorts): Promise<Watch> {
  await writeSettings(folder, ports);
  const seen = new Map<string, string>();
  const hook = startAlertHook({ port: ports.hook, host: '127.0.0.1' }, (alerts) => {
    // One message tells of a whole group: it fires while one of it does.
    for (const { status, labels } of alerts.toSorted((a) => (a.status === 'firing' ? 1 : -1))) {
      seen.set(labels.alertname, status);
    }
  });
  const children = [
    run('prometheus', [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/tsdb`,
      `--web.listen-address=127.0.0.1:${ports.prometheus}`,
    ]),
    run('prometheus-alertmanager', [
      `--config.file=${folder}/alertmanager.yml`,
      `--storage.path=${folder}/alertmanager`,
      `--web.listen-address=127.0.0.1:${ports.alertmanager}`,
      '--cluster.listen-address=',
    ]),
  ];
  return {
    until: async (alert, status) => {
      const startedAt = Date.now();
      const isSo = () =>
        status === 'quiet' ? seen.get(alert) !== 'firing' : seen.get(alert) === status;
      await untilSo(isSo, `${alert} was not ${status}`);
      return (Date.now() - startedAt) / 1_000;
    },
    ask: async (address, query) => {
      const url = `http://127.0.0.1:${ports.prometheus}/api/v1/${address}?${new URLSearchParams(query)}`;
      const answer = (await (await fetch(url)).json()) as {
        data?: { result?: unknown[] } | unknown[];
      };
      return Array.isArray(answer.data) ? answer.data : (answer.data?.result ?? []);
    },
    stop: () => {
      for (const child of children) child.kill('SIGKILL');
      hook.close();
      hook.closeAllConnections();
    },
  };
}

async function untilSo(isSo: () => boolean, otherwise: string): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  while (!isSo()) {
    if (Date.now() > until) throw new Error(otherwise);
    await sleep(100);
  }
}

function run(program: string, args: string[]): ChildProcess {
  return spawn(program, args, { stdio: 'ignore' });
}
