import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SHIPPED = new URL('../../deploy/prometheus/', import.meta.url);

/** Has promtool look at the files that are shipped and at what the service tells now; says what it says, and how often it is not content. */
export async function tellChecks(ports: { api: number; worker: number }): Promise<number> {
  const file = (name: string) => fileURLToPath(new URL(name, SHIPPED));
  const metrics = async (port: number) => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    return answer.text();
  };
  const checks = [
    { what: 'rules', of: 'deploy/prometheus/rules', args: [file('rules/headwind.yml')] },
    { what: 'config', of: 'deploy/prometheus', args: [file('prometheus.yml')] },
    { what: 'metrics', of: 'the API', args: [], input: await metrics(ports.api) },
    { what: 'metrics', of: 'the worker', args: [], input: await metrics(ports.worker) },
  ];
  let faults = 0;
  for (const { what, of, args, input } of checks) {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', what, ...args], {
      input: input ?? '',
      encoding: 'utf8',
    });
    const said = `${stdout}${stderr}`.trim();
    if (status !== 0) faults += 1;
    console.log(
      `promtool check ${what} of ${of}: ${status === 0 ? 'clean' : `${status}, ${said}`}`,
    );
  }
  return faults;
}
