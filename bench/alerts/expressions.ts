import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Watch } from './watch.ts';

const DEPLOY = new URL('../../deploy/', import.meta.url);
const SELECTOR = /\b(?:up|headwind_\w+)(?:\{[^}]*\})?/g;

/** Returns the series selectors in rules and dashboard, and the dashboard's whole expressions. */
export async function expressions(): Promise<{ selectors: string[]; panels: string[] }> {
  const rules = await readFile(new URL('prometheus/rules/headwind.yml', DEPLOY), 'utf8');
  const exprs = [...rules.matchAll(/expr: ([\s\S]*?)\n {8}(?:for|labels):/g)].map(
    ([, expr = '']) => expr,
  );
  const dashboard = JSON.parse(
    await readFile(new URL('grafana/headwind.json', DEPLOY), 'utf8'),
  ) as { panels: { targets?: { expr: string }[] }[] };
  const panels = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const all = [...exprs, ...panels].flatMap((expr) => expr.match(SELECTOR) ?? []);
  return { selectors: [...new Set(all)], panels };
}

const TIMEOUT_MS = 60_000;

/** Waits until the series appears, because a busy machine sometimes misses a scrape. */
async function hasSeries(
  query: string,
  queryPrometheus: Watch['queryPrometheus'],
): Promise<boolean> {
  const until = Date.now() + TIMEOUT_MS;
  while ((await queryPrometheus('query', { query })).length === 0) {
    if (Date.now() > until) return false;
    await sleep(500);
  }
  return true;
}

/**
 * Returns the selectors that have matched no series since the service started, and the panels that show no series now.
 */
export async function withoutSeries(
  { selectors, panels }: Awaited<ReturnType<typeof expressions>>,
  { queryPrometheus }: Pick<Watch, 'queryPrometheus'>,
): Promise<string[]> {
  const empty: string[] = [];
  for (const selector of selectors) {
    const series = await queryPrometheus('series', { 'match[]': selector });
    if (series.length === 0) empty.push(selector);
  }
  for (const panel of panels) {
    const expr = panel.replaceAll('$__rate_interval', '30s').replaceAll('[1h]', '[10m]');
    if (!(await hasSeries(expr, queryPrometheus))) empty.push(panel);
  }
  return empty;
}
