import type { Figures } from '../../../models/evaluate/metrics.ts';
import type { Backtest } from '../../../pipelines/model/backtest.ts';
import type { ByGroup } from '../../../pipelines/model/cases.ts';
import { HOURS, METHODS } from '../../../pipelines/model/forecasts.ts';
import { count, percent } from '../tables.ts';
import { escaped, HOURS_NAMES, METHOD_NAMES, TABLED } from './names.ts';

/** The figures of every method, with the hour and without. */
export function summaryTable(result: Backtest): string {
  const rows = HOURS.flatMap((hours) =>
    TABLED.map((method) => {
      const { n, auc, logLoss, brier, skill, ece, eceAtOwnLevel } = result[method][hours];
      return [
        METHOD_NAMES[method],
        HOURS_NAMES[hours],
        count(n),
        auc.toFixed(3),
        logLoss.toFixed(4),
        brier.toFixed(4),
        signed(skill),
        ece.toFixed(3),
        eceAtOwnLevel.toFixed(3),
      ];
    }),
  );
  const head = [
    'method',
    'asked',
    'flights',
    'AUC',
    'log loss',
    'Brier',
    'skill',
    'ECE',
    'ECE at own level',
  ];
  return htmlTable('Figures of every method', head, rows);
}

/** A line per group: how often its flights were delayed, and how each method did on them. */
export function groupTable(caption: string, first: string, groups: ByGroup): string {
  const rows = Object.entries(groups).map(([key, figures]) => {
    const any = figures.linear ?? figures.blend ?? figures.ml;
    const of = (pick: (figures: Figures) => string) =>
      METHODS.map((method) => (figures[method] ? pick(figures[method]) : '–'));
    return [
      key,
      count(any?.n ?? 0),
      any ? percent(any.observed) : '–',
      figures.blend ? percent(figures.blend.forecast) : '–',
      ...of(({ auc }) => auc.toFixed(3)),
      ...of(({ skill }) => signed(skill)),
    ];
  });
  const methods = METHODS.map((method) => SHORT[method]);
  const head = [
    first,
    'flights',
    'delayed',
    'blend forecast',
    ...methods.map((name) => `AUC ${name}`),
    ...methods.map((name) => `skill ${name}`),
  ];
  return htmlTable(caption, head, rows);
}

const SHORT = { linear: 'stat.', ml: 'model', blend: 'blend' };

function signed(value: number): string {
  const text = value.toFixed(3);
  return value < 0 ? text.replace('-', '−') : `+${text}`;
}

function htmlTable(caption: string, head: string[], rows: string[][]): string {
  const cells = (row: string[]) => {
    const [first = '', ...others] = row.map(escaped);
    return `<tr><th scope="row">${first}</th>${others.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  };
  const heads = head.map((name) => `<th scope="col">${escaped(name)}</th>`).join('');
  return `<div class="wide" role="region" aria-label="${escaped(caption)}" tabindex="0"><table>
<caption>${escaped(caption)}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${rows.map(cells).join('\n')}
</tbody>
</table></div>`;
}
