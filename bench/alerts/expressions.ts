import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Watch } from './watch.ts';

const DEPLOY = new URL('../../deploy/', import.meta.url);
const SELECTOR = /\b(?:up|headwind_\w+)(?:\{[^}]*\})?/g;

/** What is asked of Prometheus by the rules, as the series they select, and by the dashboard, as whole expressions. */
export async function expressions(): Promise<{ selectors: string[]; panels: string[] }> {
  const rules = await readFile(new URL('prometheus/rules/headwind.yml', DEPLOY), 'utf8');
  const exprs = [...rules.matchAll(/expr: ([\s\S]*?)\n {8}(?:for|labels):/g)].map(
    ([, one = '']) => one,
  );
  const dashboard = JSON.parse(
    await readFile(new URL('grafana/headwind.json', DEPLOY), 'utf8'),
  ) as { panels: { targets?: { expr: string }[] }[] };
  const panels = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const all = [...exprs, ...panels].flatMap((one) => one.match(SELECTOR) ?? []);
  return { selectors: [...new Set(all)], panels };
}

const PATIENCE_MS = 60_000;

/** A busy machine misses a scrape now and then. */
async function answers(query: string, ask: Watch['ask']): Promise<boolean> {
  const until = Date.now() + PATIENCE_MS;
  while ((await ask('query', { query })).length === 0) {
    if (Date.now() > until) return false;
    await sleep(500);
  }
  return true;
}

/** Those that give no series: selectors since the service began, panels now. */
export async function withoutSeries(
  { selectors, panels }: Awaited<ReturnType<typeof expressions>>,
  { ask }: Pick<Watch, 'ask'>,
): Promise<string[]> {
  const empty: string[] = [];
  for (const selector of selectors) {
    const found = await ask('series', { 'match[]': selector });
    if (found.length === 0) empty.push(selector);
  }
  for (const panel of panels) {
    const expr = panel.replaceAll('$__rate_interval', '30s').replaceAll('[1h]', '[10m]');
    if (!(await answers(expr, ask))) empty.push(panel);
  }
  return empty;
}
