import { HOURS, type Hours } from '../../../pipelines/model/forecasts.ts';
import type { FilesBacktest } from '../../wiring/backtest-files.ts';
import { count, countOf, laterOrigins, percent, span } from '../tables.ts';
import { bandChart } from './band-chart.ts';
import { gainChart, reliabilityChart, rocChart, type Chart } from './charts.ts';
import { escapeHtml, HOURS_NAMES } from './names.ts';
import { STYLE } from './style.ts';
import { distributionTables } from '../distribution-tables.ts';
import { groupTable, htmlTable, summaryTable } from './tables.ts';

/** Renders a backtest as one self-contained HTML page; equal figures give equal bytes. */
export function backtestPage(result: FilesBacktest): string {
  const title = `Backtest of ${result.files.join(', ')} from ${result.cut}`;
  const { month, tier, airline, horizon } = result.by;
  const body = [
    `<h1>${escapeHtml(title)}</h1>`,
    introduction(result),
    '<h2 id="figures">Figures</h2>',
    summaryTable(result),
    FIGURE_DEFINITIONS,
    '<h2 id="reliability">Reliability: observed and forecast share of delayed flights</h2>',
    '<p>Each point is a fifteenth of the flights, ordered by forecast. On the grey line, the observed share equals the forecast. If all points are above it, the season was worse than the history; if all are below, it was better. No forecast can predict this.</p>',
    renderPair(result, reliabilityChart),
    '<h2 id="roc">ROC: separation of delayed and on-time flights</h2>',
    '<p>The further a curve is above the grey line, the better its forecasts separate delayed from on-time flights. AUC is the area under the curve. The grey line is a random ranking.</p>',
    renderPair(result, rocChart),
    '<h2 id="gain">Gain: delayed flights among the riskiest</h2>',
    '<p>Share of all delayed flights that are among the flights with the highest forecasts. The grey line is a random choice.</p>',
    renderPair(result, gainChart),
    '<h2 id="bands">Outcomes by band</h2>',
    '<p>Flights by the label that the service would have shown: Low up to 30, Moderate up to 55, High up to 74, Very High above. The history has no weather forecasts and no news, so these scores have no points for them.</p>',
    renderPair(result, bandChart),
    '<h2 id="distribution">Delay distributions, cancellations and payouts</h2>',
    '<p>All figures are for requests with the hour. CRPS and log loss are better when lower; ± is one standard error over days or airport-months.</p>',
    ...distributionTables(result.distribution).map(({ caption, head, rows }) =>
      htmlTable(caption, head, rows),
    ),
    '<h2 id="groups">Figures by month, days ahead, tier and airline</h2>',
    '<p>All figures are for requests with the hour. Skill is relative to the delayed share before the cut. In a month unlike the earlier ones, every forecast therefore has high or low skill. Groups where no flight or every flight was delayed are left out.</p>',
    groupTable('By month', 'month', month),
    groupTable('By days ahead', 'horizon', horizon),
    groupTable('By tier of history', 'tier', tier),
    groupTable('By airline', 'airline', airline),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body.join('\n')}
</main>
</body>
</html>
`;
}

function introduction(result: FilesBacktest): string {
  const { trainedOn, testedOn, origins, baseRate, cut, unscored, delayBasis, blend } = result;
  const { n, observed } = blend.with_dep_time;
  const delayed =
    delayBasis === 'arrival'
      ? 'arrives more than 30 minutes late'
      : 'departs more than 30 minutes late (the files have no arrivals)';
  const leftOut =
    unscored === 0
      ? ''
      : ` ${count(unscored)} more flights have no forecast: the service does not know their airports.`;
  return `<p class="lede">${countOf(n, 'flight')} of ${span(testedOn)}, forecast from the data known before ${cut}${laterOrigins(origins)}: ${span(trainedOn)}${origins.length > 1 ? ' and the months since' : ''}.${leftOut}
A flight is delayed if it ${delayed}: <strong>${percent(baseRate)}</strong> of the flights before the cut, <strong>${percent(observed)}</strong> of the forecast flights.</p>`;
}

const FIGURE_DEFINITIONS = `<dl>
<dt>AUC</dt><dd>probability that a delayed flight has a higher forecast than one on time; 0.5 is chance</dd>
<dt>Skill</dt><dd>reduction of the Brier score, relative to a forecast that is always the delayed share before the cut; 0 is no reduction</dd>
<dt>ECE</dt><dd>calibration error: mean distance between forecast and observed share in 15 bins; &ldquo;at own level&rdquo; means after shifting all forecasts to the observed mean</dd>
<dt>Plain XGBoost</dt><dd>100 rounds of depth 6 on the rows that our trees learn from, without month and weekday; for comparison</dd>
<dt>Airline-route rate</dt><dd>only the shrunk delayed rate of the airline on the route</dd>
</dl>
<p>Statistics and blend are scores. For all figures but AUC, a logistic curve fitted before the cut converts them into probabilities.</p>`;

type DrawChart = (result: FilesBacktest, hours: Hours) => Chart;

function renderPair(result: FilesBacktest, draw: DrawChart): string {
  const figures: string[] = [];
  for (const hours of HOURS) {
    const { svg, description } = draw(result, hours);
    const label = `role="img" aria-label="${escapeHtml(`Requests ${HOURS_NAMES[hours]}. ${description}`)}"`;
    const picture = svg.replace('<svg ', `<svg ${label} `).trim();
    figures.push(
      `<figure>\n<figcaption>Requests ${HOURS_NAMES[hours]}</figcaption>\n${picture}\n</figure>`,
    );
  }
  return `<div class="pair">\n${figures.join('\n')}\n</div>`;
}
