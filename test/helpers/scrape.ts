import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { debianTool } from './debian-tool.ts';

/** Long enough for a busy machine. */
const TIMEOUT_MS = 60_000;

/** A series at one moment. */
export type Sample = { name: string; labels: Record<string, string>; value: number };

/** Reads the series of a metrics port, as Prometheus does. */
export async function scrape(port: number): Promise<Sample[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, {
    signal: AbortSignal.timeout(60_000),
  });
  if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}`);
  return parseSamples(await answer.text());
}

/** Parses a text in Prometheus' format. */
function parseSamples(text: string): Sample[] {
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name = '', labels = '', value]) => ({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', text = '']) => [label, text]),
      ),
      value: Number(value),
    }),
  );
}

/** Returns promtool's complaints about the metrics of a port; empty if promtool is unavailable. */
export async function checkMetrics(port: number): Promise<string> {
  const promtool = debianTool('promtool', 'prometheus');
  if (promtool === undefined) return '';
  const input = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const { stdout, stderr } = spawnSync(promtool, ['check', 'metrics'], { input, encoding: 'utf8' });
  return stdout + stderr;
}

/** Returns the sum of the series with this name and these labels. */
export function sumSamples(
  samples: Sample[],
  name: string,
  labels: Record<string, string> = {},
): number {
  return samples
    .filter((sample) => sample.name === name)
    .filter((sample) =>
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);
}

/** Scrapes until the condition is true, and returns that scrape. */
export async function scrapeUntil(
  port: number,
  condition: string,
  isTrue: (samples: Sample[]) => boolean,
): Promise<Sample[]> {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    // A process that is still starting has no metrics yet.
    const samples = await scrape(port).catch(() => []);
    if (isTrue(samples)) return samples;
    if (Date.now() > end) {
      throw new Error(`still not true after ${TIMEOUT_MS / 1_000} s: ${condition}`);
    }
    await sleep(20);
  }
}
