import { callBox } from '../call-box.ts';
import { ago, month } from '../format.ts';
import { factList } from '../facts.ts';
import { html, type Content } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import type { StatusData } from './status-data.ts';

/** How the service is, in words. */
export const statusPage: Page<StatusData> = {
  path: '/status',
  source: () => '/explorer/status',
  title: (data) => `Status: ${word(data)}`,
  summary: sentence,
  view,
};

type Health = StatusData['health'];

function word(data: StatusData): string {
  const { status } = data.health;
  if (status === 'error') return 'calls are refused';
  if (status === 'degraded') return 'something is missing';
  return missingOf(data).length === 0 ? 'all well' : 'working';
}

function sentence(data: StatusData): string {
  if (data.health.status === 'error') {
    return data.store === null
      ? 'No history is loaded, so no flight can be scored at the moment.'
      : 'Calls with a key cannot be answered at the moment, as the keys are not in reach; these pages go on.';
  }
  const missing = missingOf(data);
  return missing.length === 0
    ? 'Scores are answered with everything they should rest on.'
    : `Scores are answered, but ${missing.join('; ')}.`;
}

/** What scores do without, and what that means. */
function missingOf({ health: { components, news }, forecasts_at }: StatusData): string[] {
  return [
    components.ml_model !== 'ok' && 'the model is missing, so they rest on statistics alone',
    HISTORY[components.history],
    forecasts_at === null && 'no weather forecasts are at hand, so typical weather counts',
    news.fetched_at === null && 'no news are at hand, so none count',
  ].filter((one) => typeof one === 'string');
}

const HISTORY: Record<Health['components']['history'], string | undefined> = {
  ok: undefined,
  old_flights: 'records of single routes are more than two years old',
  old_levels: 'how late airlines and airports are now is more than a year old',
  old: 'the history is old',
  unavailable: 'no history is loaded',
};

const HEALTH = 'Health is what the API tells; this call is free.';

function view(data: StatusData, frame: Frame) {
  const { locale } = frame;
  const { health, store, model, forecasts_at } = data;
  const at = Date.parse(health.time);
  const age = (time: string | null, never: string) =>
    time === null ? never : ago(Math.round((at - Date.parse(time)) / 60_000), locale);
  const { flights_until, levels_until } = health.history;
  const rows: [string, Content][] = [
    ['Answers', health.status === 'error' ? 'these pages alone' : 'yes'],
    ['History', store === null ? 'not loaded' : 'at hand'],
    ...keysRow(data),
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
      <span class=${`lamp ${health.status}`} aria-hidden="true"></span>${` Status: ${word(data)}`}
    </h1>
    <p class="lead">${sentence(data)}</p>
    ${factList(rows)}
    ${callBox(frame.site, [{ title: 'For programs', path: '/api/health' }], HEALTH)}
  </section>`;
}

/** Keys and history have one word in the health: without history it says nothing of keys. */
function keysRow({ health, store }: StatusData): [string, Content][] {
  if (store === null) return [];
  return [['Keys', health.components.database === 'ok' ? 'at hand' : 'not in reach']];
}
