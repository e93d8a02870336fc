import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Router } from '@koa/router';
import type { ApiMiddleware, ApiState } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { RequestError } from '../errors.ts';
import { openApiDocument } from '../openapi/document.ts';
import {
  allowReading,
  publicDocument,
  sendDocument,
  type PublicDocument,
} from './public-document.ts';

/** The page may load what this server has, and nothing else: no inline script or style, no other site. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Headwind API</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script type="module" src="/docs/start.js"></script>
</body>
</html>
`;

// No validator: its badge would send the address of the document to another site.
const START = `import { LANGUAGES, snippet } from '/docs/snippets.js';

const TITLES = { curl: 'curl', typescript: 'TypeScript', python: 'Python' };
const SYNTAX = { curl: 'bash', typescript: 'javascript', python: 'python' };
const made = LANGUAGES.map((language) => [
  'requestSnippetGenerator_' + language,
  (request) => snippet(language, request.get('url')),
]);
const generators = LANGUAGES.map((language) => [
  language,
  { title: TITLES[language], syntax: SYNTAX[language] },
]);

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  validatorUrl: null,
  supportedSubmitMethods: ['get'],
  displayRequestDuration: true,
  deepLinking: true,
  requestSnippetsEnabled: true,
  requestSnippets: { generators: Object.fromEntries(generators) },
  plugins: [() => ({ fn: Object.fromEntries(made) })],
});
`;

const SCRIPT = 'text/javascript; charset=utf-8';

/** The files of Swagger UI that the page uses, by name. */
const FILES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': SCRIPT,
  'favicon-32x32.png': 'image/png',
};

/** How long a browser need not ask again for what changes with the service, and for the files of others, in s. */
const FRESH_S = 300;
const FILE_FRESH_S = 3600;

/** `GET /openapi.json` and a page at `GET /docs` to read it and try it out; both public and served from disk. */
export function docsRoutes({ explains }: Pick<ApiDeps, 'explains'>): Router<ApiState> {
  const router = new Router<ApiState>();
  const page = publicDocument('text/html; charset=utf-8', PAGE);
  const files = new Map<string, PublicDocument>();
  let description: PublicDocument | undefined;
  const open = (path: string, send: ApiMiddleware) =>
    router.register(path, ['GET', 'OPTIONS'], (ctx, next) =>
      ctx.method === 'OPTIONS' ? allowReading(ctx) : send(ctx, next),
    );
  open('/openapi.json', (ctx) => {
    description ??= publicDocument(
      'application/json',
      JSON.stringify(openApiDocument({ explains })),
    );
    return sendDocument(ctx, description, FRESH_S);
  });
  open('/docs', (ctx) => {
    ctx.set('Content-Security-Policy', POLICY);
    return sendDocument(ctx, page, FRESH_S);
  });
  open('/docs/:file', async (ctx) => {
    const { file } = ctx.params as { file: string };
    const document = files.get(file) ?? (await pageFile(file));
    files.set(file, document);
    await sendDocument(ctx, document, FILE_FRESH_S);
  });
  return router;
}

/** The function that makes snippets, as a browser takes it. */
async function snippetsScript(): Promise<string> {
  const source = new URL('../openapi/snippets.ts', import.meta.url);
  return stripTypeScriptTypes(await readFile(source, 'utf8'));
}

async function pageFile(name: string): Promise<PublicDocument> {
  if (name === 'start.js') return publicDocument(SCRIPT, START);
  if (name === 'snippets.js') return publicDocument(SCRIPT, await snippetsScript());
  const type = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (type === undefined) {
    throw new RequestError(404, 'not_found', 'There is nothing at this path.');
  }
  const path = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));
  return publicDocument(type, await readFile(path));
}
