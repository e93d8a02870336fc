import { callBox } from '../call-box.ts';
import { timeAgo, month } from '../format.ts';
import { factList } from '../facts.ts';
import { html, type Content } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import type { HealthBody } from '../../../schemas/health.ts';

/** The status of the service in sentences. */
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
  if (status === 'error') return 'API calls are refused';
  const isComplete = missingInputs(data).length === 0;
  if (status === 'degraded' && !isComplete) return 'partly available';
  return status === 'ok' && isComplete ? 'everything works' : 'working';
}

function sentence(data: StatusData): string {
  if (data.health.status === 'error') {
    return data.store === null
      ? 'No history is loaded, so no flight can be scored.'
      : 'API keys cannot be checked, so API calls are refused. These pages still work.';
  }
  const missing = missingInputs(data);
  if (missing.length > 0) return `Scores are available. ${missing.join(' ')}`;
  const more = data.health.components.operations === 'ok' ? '' : ` ${OPERATIONS}`;
  return `Scores are available and use all their inputs.${more}`;
}

/** Returns a sentence for each input of the scores that is missing or outdated. */
function missingInputs({ health: { components } }: StatusData): string[] {
  return [
    components.keys !== 'ok' && 'Some API keys are lost; calls with them are refused.',
    components.ml_model !== 'ok' && 'The model is missing, so scores use statistics only.',
    HISTORY[components.history],
    components.weather !== 'ok' &&
      'Weather forecasts are missing or old, so scores use typical weather.',
    components.news === 'unavailable' && 'No news has been fetched, so scores ignore news.',
    components.news === 'old' && 'The news could not be fetched for six hours.',
  ].filter((one) => typeof one === 'string');
}

const HISTORY: Record<Health['components']['history'], string | undefined> = {
  ok: undefined,
  behind: 'Newer flight records are published, but not loaded yet.',
  old_flights: 'The flight records are more than two years old.',
  old_levels: 'The monthly delay figures of airlines and airports are more than a year old.',
  old: 'The history is old.',
  unavailable: 'No history is loaded.',
};

const OPERATIONS = 'The operators have been warned of a problem that does not affect scores.';
const HEALTH = 'This page shows the health check of the API.';

function view(data: StatusData, frame: Frame) {
  const { locale } = frame;
  const { health, store, model, forecasts_at } = data;
  const at = Date.parse(health.time);
  const age = (time: string | null, never: string) =>
    time === null ? never : timeAgo(Math.round((at - Date.parse(time)) / 60_000), locale);
  const { flights_until, levels_until } = health.history;
  const rows: [string, Content][] = [
    ['API answers calls', health.status === 'error' ? 'no, only these pages work' : 'yes'],
    ['History', store === null ? 'not loaded' : 'loaded'],
    ...keysRow(data),
    ['Model', model === null ? 'none' : html`<code>${model}</code>`],
    ['Flight records until', flights_until === null ? 'none' : month(flights_until, locale)],
    [
      'Monthly delay figures until',
      levels_until === null ? 'no newer than flight records' : month(levels_until, locale),
    ],
    ['History built', store === null ? 'not yet' : age(store.built_at, '')],
    ['History version', store === null ? 'none' : html`<code>${store.version}</code>`],
    ['Weather forecasts', age(forecasts_at, 'none fetched')],
    ['News', age(health.news.fetched_at, 'none fetched')],
  ];
  return html`<section class="status">
    <h1>
      <span class=${`lamp ${health.status}`} aria-hidden="true"></span>${` Status: ${word(data)}`}
    </h1>
    <p class="lead">${sentence(data)}</p>
    ${factList(rows)}
    ${callBox(frame.site, [{ title: 'Health check', path: '/api/health' }], HEALTH)}
  </section>`;
}

/** If the history is missing, the state of the API keys is unknown too. */
function keysRow({ health, store }: StatusData): [string, Content][] {
  if (store === null) return [];
  return [['API keys', health.components.database === 'ok' ? 'available' : 'unavailable']];
}

/** The data of `/status`. */
export type StatusData = {
  /** The answer of `/api/health`. */
  health: HealthBody;
  store: { version: string; built_at: string } | null;
  /** Version of the model in use. */
  model: string | null;
  /** Time at which weather forecasts were last saved. */
  forecasts_at: string | null;
};
