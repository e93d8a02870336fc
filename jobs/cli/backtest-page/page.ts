import { HOURS, type Hours } from '../../../pipelines/model/forecasts.ts';
import type { FilesBacktest } from '../../wiring/backtest-files.ts';
import { anew, count, percent, span } from '../tables.ts';
import { bandChart } from './band-chart.ts';
import { gainChart, reliabilityChart, rocChart, type Chart } from './charts.ts';
import { escaped, HOURS_NAMES } from './names.ts';
import { STYLE } from './style.ts';
import { groupTable, summaryTable } from './tables.ts';

/** A back-test as one HTML page that needs nothing else; the same figures give the same bytes. */
export async function backtestPage(result: FilesBacktest): Promise<string> {
  const title = `Back-test of ${result.files.join(', ')} from ${result.cut}`;
  const { month, tier, airline, horizon } = result.by;
  const body = [
    `<h1>${escaped(title)}</h1>`,
    lede(result),
    '<h2 id="figures">Figures</h2>',
    summaryTable(result),
    FIGURES_EXPLAINED,
    '<h2 id="reliability">Is what is forecast what comes?</h2>',
    '<p>Each point is a fifteenth of the flights, from the lowest forecasts to the highest. On the grey line as many were delayed as forecast; a whole line above or below it means a better or worse season than the history, which no forecast can know.</p>',
    await figures(result, reliabilityChart),
    '<h2 id="roc">Are late flights ranked above others?</h2>',
    '<p>ROC: the further a line is from the grey one, the better its forecasts tell delayed flights from others. AUC is the area below it.</p>',
    await figures(result, rocChart),
    '<h2 id="gain">How many delays are among the riskiest flights?</h2>',
    '<p>Gain: share of all delayed flights among those with the highest forecasts. Grey is picking at random.</p>',
    await figures(result, gainChart),
    '<h2 id="bands">What became of each band</h2>',
    '<p>By the label the service would have shown (Low to 30, Moderate to 55, High to 74, Very High above). Weather forecasts and news are not in a history, so no flight here has their points.</p>',
    await figures(result, bandChart),
    '<h2 id="groups">By month, horizon, tier and airline</h2>',
    '<p>With the hour. Skill is against the share before the cut, so a month unlike the ones before it has much or none whatever is forecast. Groups in which no flight or every flight was delayed are left out.</p>',
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
<title>${escaped(title)}</title>
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

function lede(result: FilesBacktest): string {
  const { trainedOn, testedOn, origins, baseRate, cut, unscored, delayBasis, blend } = result;
  const { n, observed } = blend.with_dep_time;
  const at =
    delayBasis === 'arrival' ? 'on arrival' : 'at departure, for the files have no arrivals';
  const unknown =
    unscored === 0 ? '' : ` ${count(unscored)} more are at airports the service does not know.`;
  return `<p class="lede">${count(n)} flights of ${span(testedOn)}, forecast from what was known before ${cut}${anew(origins)}: ${span(trainedOn)}${origins.length > 1 ? ' and what came since' : ''}.${unknown}
Delayed is more than 30 minutes ${at}: <strong>${percent(baseRate)}</strong> of the flights before, <strong>${percent(observed)}</strong> of those forecast.</p>`;
}

const FIGURES_EXPLAINED = `<dl>
<dt>AUC</dt><dd>how often a delayed flight has the higher forecast of two; 0.5 is chance</dd>
<dt>Skill</dt><dd>share of the Brier score saved against always saying the share before the cut; 0 is none</dd>
<dt>ECE</dt><dd>mean distance of forecast and outcome over 15 bins; at own level: once the mean is put right</dd>
<dt>Plain XGBoost</dt><dd>100 rounds of depth 6 on the rows our trees learn from, which know neither month nor weekday; for comparison</dd>
<dt>Airline-route rate</dt><dd>the shrunk delayed rate of the airline on the route, and nothing else</dd>
</dl>
<p>Statistics and blend are scores; for all but AUC a logistic curve fitted before the cut turns them into probabilities.</p>`;

type Draw = (result: FilesBacktest, hours: Hours) => Promise<Chart>;

async function figures(result: FilesBacktest, draw: Draw): Promise<string> {
  const drawn: string[] = [];
  for (const hours of HOURS) {
    const { svg, words } = await draw(result, hours);
    const label = `role="img" aria-label="${escaped(`Asked ${HOURS_NAMES[hours]}. ${words}`)}"`;
    const picture = svg.replace('<svg ', `<svg ${label} `).trim();
    drawn.push(
      `<figure>\n<figcaption>Asked ${HOURS_NAMES[hours]}</figcaption>\n${picture}\n</figure>`,
    );
  }
  return `<div class="pair">\n${drawn.join('\n')}\n</div>`;
}
