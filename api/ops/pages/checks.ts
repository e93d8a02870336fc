import type { VNode } from 'preact';
import type { OpsBuild, OpsSummary } from '../../../warehouse/live/ops-summary.ts';
import { html } from '../html.ts';
import type { View } from '../visitor.ts';
import { layout } from './layout.ts';
import { drawBars, layOutBars } from './run-chart.ts';
import { count, moment } from './format.ts';

export type CheckTrend = {
  check: string;
  severity: 'error' | 'warn';
  /** Number of rows that failed the check in each build, oldest build first. */
  failures: { at: string; rows: number }[];
  now: number;
  /** Change of failed rows since the previous build; undefined without a previous build. */
  change: number | undefined;
};

const WIDTH_HEIGHT = { width: 320, height: 56 };

/**
 * Returns the history of each check over the last builds: failed errors first, then failed warnings, then passed
 * checks. Within each group, the check with the largest increase of failed rows comes first.
 */
export function buildTrends(builds: OpsBuild[]): CheckTrend[] {
  const entries = builds
    .toReversed()
    .flatMap(({ at, checks }) => checks.map((check) => ({ at, ...check })));
  return [...Map.groupBy(entries, ({ check }) => check)]
    .flatMap(([check, runs]) => {
      const last = runs.at(-1);
      if (!last) return [];
      const before = runs.at(-2);
      return {
        check,
        severity: last.severity,
        failures: runs.map(({ at, failures: rows }) => ({ at, rows })),
        now: last.failures,
        change: before === undefined ? undefined : last.failures - before.failures,
      };
    })
    .toSorted((a, b) => rank(b) - rank(a) || (b.change ?? 0) - (a.change ?? 0));
}

function rank({ now, severity }: CheckTrend): number {
  if (now === 0) return 0;
  return severity === 'error' ? 2 : 1;
}

/** The page with the checks of the last builds. */
export function checksPage({ builds, visitor }: View & OpsSummary): VNode {
  const trends = buildTrends(builds);
  const last = builds.at(0);
  return layout(
    { title: 'Checks', path: '/ops/checks', visitor },
    html`<p>
      ${
        last
          ? html`Last build ${moment(last.at)}, ${last.outcome}${buildsText(builds.length)}. A check
              counts the rows that break a rule. If a check of severity <b>error</b> fails, nothing
              is published. If a check of severity <b>warn</b> fails, it is only reported. The name
              of a check links to its description.`
          : 'Nothing has been built yet.'
      }
    </p>`,
    trends.length > 0 &&
      html`<div class="scroll" tabindex="0" role="region" aria-label="Checks">
        <table>
          <thead>
            <tr>
              <th scope="col">Check</th>
              <th scope="col" class="number">Failed rows</th>
              <th scope="col" class="number">Change</th>
              <th scope="col">Severity if it fails</th>
              <th scope="col">Over the builds</th>
            </tr>
          </thead>
          <tbody>
            ${trends.map(trendRow)}
          </tbody>
        </table>
      </div>`,
  );
}

function trendRow({ check, severity, failures, now, change }: CheckTrend): VNode {
  const shape = layOutBars(
    failures.map(({ at, rows }) => ({
      value: rows,
      label: `${at.slice(0, 16)}: ${count(rows)} rows`,
      state: rows === 0 ? 'done' : severity === 'error' ? 'failed' : 'warned',
    })),
    WIDTH_HEIGHT,
  );
  const worst = Math.max(0, ...failures.map(({ rows }) => rows));
  return html`<tr>
    <th scope="row"><a href=${`/ops/lineage#${relationOf(check)}`}>${check}</a></th>
    <td class="number">
      <b class=${now === 0 ? 'done' : severity === 'error' ? 'failed' : 'warned'}>${count(now)}</b>
    </td>
    <td class="number">
      ${change === undefined ? '' : change > 0 ? `+${count(change)}` : count(change)}
    </td>
    <td>${severity}</td>
    <td>
      ${worst === 0 ? 'never failed' : drawBars(shape, `${check}: at most ${count(worst)} rows`)}
    </td>
  </tr>`;
}

/** Returns the name of a check in the lineage. Names of checks from MODELS_DIR contain their folder. */
function relationOf(check: string): string {
  return check.includes('/') ? check.replace('/', '.') : `checks.${check}`;
}

function buildsText(builds: number): string {
  return builds === 1 ? '' : `; showing the last ${builds} builds`;
}
