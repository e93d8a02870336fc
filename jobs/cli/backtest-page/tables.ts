import type { Figures } from '../../../models/evaluate/metrics.ts';
import type { Backtest } from '../../../pipelines/model/backtest.ts';
import type { ByGroup } from '../../../pipelines/model/cases.ts';
import { HOURS, METHODS } from '../../../pipelines/model/forecasts.ts';
import { count, percent } from '../tables.ts';
import { escapeHtml, HOURS_NAMES, METHOD_NAMES, TABLE_METHODS } from './names.ts';

/** Renders the figures of every method, with and without the hour. */
export function summaryTable(result: Backtest): string {
  const rows = HOURS.flatMap((hours) =>
    TABLE_METHODS.map((method) => {
      const { n, auc, logLoss, brier, skill, ece, eceAtOwnLevel } = result[method][hours];
      return [
        METHOD_NAMES[method],
        HOURS_NAMES[hours],
        count(n),
        auc.toFixed(3),
        logLoss.toFixed(4),
        brier.toFixed(4),
        formatSigned(skill),
        ece.toFixed(3),
        eceAtOwnLevel.toFixed(3),
      ];
    }),
  );
  const head = [
    'method',
    'request',
    'flights',
    'AUC',
    'log loss',
    'Brier',
    'skill',
    'ECE',
    'ECE at own level',
  ];
  return htmlTable('Figures by method', head, rows);
}

/** Renders one row per group: the share of delayed flights, and the AUC and skill of each method. */
export function groupTable(caption: string, first: string, groups: ByGroup): string {
  const rows = Object.entries(groups).map(([key, figures]) => {
    const some = figures.linear ?? figures.blend ?? figures.ml;
    const cellsOf = (pick: (figures: Figures) => string) =>
      METHODS.map((method) => (figures[method] ? pick(figures[method]) : '–'));
    return [
      key,
      count(some?.n ?? 0),
      some ? percent(some.observed) : '–',
      figures.blend ? percent(figures.blend.forecast) : '–',
      ...cellsOf(({ auc }) => auc.toFixed(3)),
      ...cellsOf(({ skill }) => formatSigned(skill)),
    ];
  });
  const methods = METHODS.map((method) => SHORT[method]);
  const head = [
    first,
    'flights',
    'delayed',
    'forecast (blend)',
    ...methods.map((name) => `AUC ${name}`),
    ...methods.map((name) => `skill ${name}`),
  ];
  return htmlTable(caption, head, rows);
}

const SHORT = { linear: 'stat.', ml: 'model', blend: 'blend' };

function formatSigned(value: number): string {
  const text = value.toFixed(3);
  return value < 0 ? text.replace('-', '−') : `+${text}`;
}

export function htmlTable(caption: string, head: string[], rows: string[][]): string {
  const cells = (row: string[]) => {
    const [first = '', ...cells] = row.map(escapeHtml);
    return `<tr><th scope="row">${first}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  };
  const heads = head.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  return `<div class="wide" role="region" aria-label="${escapeHtml(caption)}" tabindex="0"><table>
<caption>${escapeHtml(caption)}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${rows.map(cells).join('\n')}
</tbody>
</table></div>`;
}
