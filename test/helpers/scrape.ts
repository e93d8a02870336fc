import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { debianTool } from './debian-tool.ts';

/** However busy the machine. */
const PATIENCE_MS = 60_000;

/** One series at one moment. */
export type Sample = { name: string; labels: Record<string, string>; value: number };

/** What a metrics port tells, read as Prometheus reads it. */
export async function scrape(port: number): Promise<Sample[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, {
    signal: AbortSignal.timeout(60_000),
  });
  if (answer.status !== 200) throw new Error(`${answer.status} of /metrics`);
  return samplesOf(await answer.text());
}

/** The series of a text in Prometheus' format. */
function samplesOf(text: string): Sample[] {
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name = '', labels = '', value]) => ({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', of = '']) => [label, of]),
      ),
      value: Number(value),
    }),
  );
}

/** What promtool finds fault with in the text of a metrics port; nothing where there is no promtool. */
export async function metricFaults(port: number): Promise<string> {
  const promtool = debianTool('promtool', 'prometheus');
  if (promtool === undefined) return '';
  const input = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const { stdout, stderr } = spawnSync(promtool, ['check', 'metrics'], { input, encoding: 'utf8' });
  return stdout + stderr;
}

/** Sum of the series of that name that have those labels. */
export function total(
  samples: Sample[],
  name: string,
  labels: Record<string, string> = {},
): number {
  return samples
    .filter((one) => one.name === name)
    .filter((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

/** Scrapes until what is asked for is true, and gives that scrape. */
export async function scrapeUntil(
  port: number,
  what: string,
  isTrue: (samples: Sample[]) => boolean,
): Promise<Sample[]> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    // Who is not up yet tells nothing yet.
    const samples = await scrape(port).catch(() => []);
    if (isTrue(samples)) return samples;
    if (Date.now() > end) throw new Error(`waited too long: ${what}`);
    await sleep(20);
  }
}
