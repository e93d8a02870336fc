import test from 'ava';
import { pageDocument } from '../../../api/explorer/document.ts';
import { EXAMPLES } from '../../../api/openapi/examples.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { createPageGet } from '../helpers/page-get.ts';
import { PLACES_STORE } from '../helpers/places-store.ts';

/** The model's page, with all its optional parts. */
const MODEL_PAGE = pageDocument({
  path: '/model',
  json: JSON.stringify(EXAMPLES.model),
  frame: { address: '/model', site: 'http://localhost', locale: 'en-GB' },
  files: { script: '', theme: '', style: '', fonts: [] },
});

/** Signs of a missing space: `cancelled:Low`, `variableHEADWIND`, `250flights` and `of250`. */
const JOINED =
  /.*(?:[a-z][.,:;)][A-Z]|[a-z]{3}[A-Z_]{4}|\d[a-z]{3}|\b(?:and|are|in|of|the|to)\d).*/g;

/** A word next to the tag of a link or of emphasis, without a space: `forecasts</a>shows`. */
const JOINED_BY_TAG = /\w+(?:<\/(?:a|b|em|i|strong)>|<(?:a|b|em|i|strong)\b[^>]*>)\w+/g;

test('no page joins two words that a line break of its template separates', async (t) => {
  const get = createPageGet({ ...explorerDeps(), stores: { current: () => PLACES_STORE } });
  const flight = 'JFK-LAX-AA-2026-03-20';
  const paths = [
    ...['/', `/flights/${flight}`, '/flights/AKL-JFK-NZ-2026-03-20', '/routes/JFK-LAX'],
    ...[`/flights/${flight}/alternatives`, `/compare?flights=${flight}`, '/airports', '/airlines'],
    ...[`/trips?legs=${flight}T08:00-11:15,LAX-JFK-AA-2026-03-20T13:00`, '/airports/JFK'],
    ...['/airports/JFK/today', '/airlines/AA', '/map', '/record', '/coverage', '/data', '/status'],
  ];
  const pages = await Promise.all(paths.map(async (path) => (await get(path)).payload));
  for (const [at, page] of [...pages, MODEL_PAGE].entries()) {
    t.deepEqual(page.match(JOINED_BY_TAG) ?? [], [], paths[at] ?? '/model');
    const text = page
      .replaceAll(/<(script|style|pre|svg)\b.*?<\/\1>/gs, ' ')
      .replaceAll(/<code>.*?<\/code>/gs, 'CODE')
      .replaceAll(/<\/?(a|b|em|i|strong)\b[^>]*>/g, '')
      .replaceAll(/<[^>]*>/g, '\n');
    t.deepEqual(text.match(JOINED) ?? [], [], paths[at] ?? '/model');
  }
});
