import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAlertHook } from '../stage/alert-hook.ts';

const DEPLOY = path.resolve(import.meta.dirname, '../../deploy/prometheus');

/** Prometheus and Alertmanager with the rules of deploy/, and the webhook that receives the alerts. */
export type Watch = {
  /**
   * Waits until the webhook has received the alert as `firing` or `resolved`. With `quiet`, waits until the alert is
   * not firing; an alert that never fired is quiet at once. Returns the duration of the wait in seconds.
   */
  until: (alert: string, status: 'firing' | 'resolved' | 'quiet') => Promise<number>;
  /** Returns the results of Prometheus' HTTP API. */
  queryPrometheus: (address: string, query: Record<string, string>) => Promise<unknown[]>;
  stop: () => void;
};

/** Longest wait for an alert. It is long enough for a busy machine. */
const TIMEOUT_MS = 300_000;

/** Shortens waits and windows from minutes to seconds, and lowers one threshold that would never be reached here. */
function speedUpRules(rules: string): string {
  return rules
    .replaceAll(/\bfor: \w+/g, 'for: 1s')
    .replaceAll(/\[(?:5m|15m|1h)\]/g, '[10s]')
    .replace('> 800e6', '> 50e6');
}

export type WatchPorts = {
  api: number;
  /** Port of an API that runs only for some alerts. */
  otherApi: number;
  worker: number;
  prometheus: number;
  alertmanager: number;
  hook: number;
};

/** Writes the files of deploy/ with these ports and short waits. */
async function writeSettings(folder: string, ports: WatchPorts): Promise<void> {
  await mkdir(path.join(folder, 'rules'), { recursive: true });
  const read = (name: string) => readFile(path.join(DEPLOY, name), 'utf8');
  const rules = speedUpRules(await read('rules/headwind.yml'));
  await writeFile(path.join(folder, 'rules/headwind.yml'), rules);
  const prometheus = (await read('prometheus.yml'))
    .replaceAll('15s', '1s')
    .replace('127.0.0.1:9464', `127.0.0.1:${ports.api}`)
    .replace('127.0.0.1:9465', `127.0.0.1:${ports.worker}`)
    .replace('127.0.0.1:9093', `127.0.0.1:${ports.alertmanager}`);
  const otherJob = `  - job_name: other\n    static_configs:\n      - targets: ['127.0.0.1:${ports.otherApi}']\n`;
  await writeFile(path.join(folder, 'prometheus.yml'), prometheus + otherJob);
  const alertmanager = (await read('alertmanager.yml'))
    .replace('group_wait: 10s', 'group_wait: 0s')
    .replace('group_interval: 1m', 'group_interval: 1s')
    .replace('http://127.0.0.1:9099', `http://127.0.0.1:${ports.hook}`);
  await writeFile(path.join(folder, 'alertmanager.yml'), alertmanager);
}

/** Starts Prometheus and Alertmanager; all `ports` must be free. */
export async function startWatch(folder: string, ports: WatchPorts): Promise<Watch> {
  await writeSettings(folder, ports);
  const states = new Map<string, string>();
  const hook = startAlertHook({ port: ports.hook, host: '127.0.0.1' }, (alerts) => {
    // One message may contain several alerts of the same name. The name counts as firing if one of these alerts is
    // firing, so firing alerts are stored last.
    for (const { status, labels } of alerts.toSorted((a) => (a.status === 'firing' ? 1 : -1))) {
      states.set(labels.alertname, status);
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
      const hasStatus = () =>
        status === 'quiet' ? states.get(alert) !== 'firing' : states.get(alert) === status;
      await waitUntil(hasStatus, `${alert} was not ${status} within ${TIMEOUT_MS / 1_000} s`);
      return (Date.now() - startedAt) / 1_000;
    },
    queryPrometheus: async (address, query) => {
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

async function waitUntil(isTrue: () => boolean, failure: string): Promise<void> {
  const until = Date.now() + TIMEOUT_MS;
  while (!isTrue()) {
    if (Date.now() > until) throw new Error(failure);
    await sleep(100);
  }
}

function run(program: string, args: string[]): ChildProcess {
  return spawn(program, args, { stdio: 'ignore' });
}
