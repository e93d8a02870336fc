import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SHIPPED = new URL('../../deploy/prometheus/', import.meta.url);

/**
 * Checks the shipped files and the service's current metrics with promtool, and prints its verdicts; returns
 * the number of failed checks.
 */
export async function printPromtoolChecks(ports: { api: number; worker: number }): Promise<number> {
  const file = (name: string) => fileURLToPath(new URL(name, SHIPPED));
  const metrics = async (port: number) => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    return answer.text();
  };
  const checks = [
    { kind: 'rules', subject: 'deploy/prometheus/rules', args: [file('rules/headwind.yml')] },
    { kind: 'config', subject: 'deploy/prometheus', args: [file('prometheus.yml')] },
    { kind: 'metrics', subject: 'the API', args: [], input: await metrics(ports.api) },
    { kind: 'metrics', subject: 'the worker', args: [], input: await metrics(ports.worker) },
  ];
  let faults = 0;
  for (const { kind, subject, args, input } of checks) {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', kind, ...args], {
      input: input ?? '',
      encoding: 'utf8',
    });
    const output = `${stdout}${stderr}`.trim();
    if (status !== 0) faults += 1;
    console.log(
      `promtool check ${kind} of ${subject}: ${status === 0 ? 'clean' : `${status}, ${output}`}`,
    );
  }
  return faults;
}
