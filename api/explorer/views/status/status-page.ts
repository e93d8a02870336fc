import { ago, month } from '../format.ts';
import { factList } from '../facts.ts';
import { html, type Content } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import type { StatusData } from './status-data.ts';

/** How the service is, in words. */
export const statusPage: Page<StatusData> = {
  path: '/status',
  source: () => '/explorer/status',
  title: ({ health }) => `Status: ${TITLES[health.status]}`,
  summary: ({ health }) => sentence(health),
  view,
};

type Health = StatusData['health'];

const TITLES = { ok: 'all well', degraded: 'something is missing', error: 'calls are refused' };

function sentence({ status, components }: Health): string {
  if (status === 'ok') return 'Scores are answered with everything they should rest on.';
  if (status === 'error') {
    return 'Calls with a key cannot be answered at the moment; these pages show what there is.';
  }
  const missing = [
    components.ml_model !== 'ok' && 'the model is missing, so scores rest on statistics alone',
    HISTORY[components.history],
  ].filter(Boolean);
  return `Scores are answered, but ${missing.join(', and ')}.`;
}

const HISTORY: Record<Health['components']['history'], string | undefined> = {
  ok: undefined,
  old_flights: 'records of single routes are more than two years old',
  old_levels: 'how late airlines and airports are now is more than a year old',
  old: 'the history is old',
  unavailable: 'no history is loaded',
};

function view({ health, store, model, forecasts_at }: StatusData, { locale }: Frame) {
  const at = Date.parse(health.time);
  const age = (time: string | null, never: string) =>
    time === null ? never : ago(Math.round((at - Date.parse(time)) / 60_000), locale);
  const { flights_until, levels_until } = health.history;
  const rows: [string, Content][] = [
    ['Answers', health.components.api === 'ok' ? 'yes' : 'no'],
    ['History and keys', health.components.database === 'ok' ? 'at hand' : 'not in reach'],
    ['Model', model === null ? 'none' : html`<code>${model}</code>`],
    ['Flights known until', flights_until === null ? 'none' : month(flights_until, locale)],
    [
      'Airlines and airports known until',
      levels_until === null ? 'no newer than flights' : month(levels_until, locale),
    ],
    ['History built', store === null ? 'not yet' : age(store.built_at, '')],
    ['Its version', store === null ? 'none' : html`<code>${store.version}</code>`],
    ['Weather forecasts', age(forecasts_at, 'none fetched; typical weather counts')],
    ['News', age(health.news.fetched_at, 'none fetched; none count')],
  ];
  return html`<section class="status">
    <h1>
      <span class=${`lamp ${health.status}`} aria-hidden="true"></span
      >${` Status: ${TITLES[health.status]}`}
    </h1>
    <p class="lead">${sentence(health)}</p>
    ${factList(rows)}
    <p class="note">For programs: <a href="/api/health">/api/health</a></p>
  </section>`;
}
