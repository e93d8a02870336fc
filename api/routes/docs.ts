import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Router } from '@koa/router';
import type { ApiState } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { RequestError } from '../errors.ts';
import { openApiDocument } from '../openapi/document.ts';

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
<script src="/docs/start.js"></script>
</body>
</html>
`;

// No validator: its badge would send the address of the document to another site.
const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  validatorUrl: null,
  supportedSubmitMethods: ['get'],
  displayRequestDuration: true,
  deepLinking: true,
});
`;

/** The files of Swagger UI that the page uses, by name. */
const FILES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** `GET /openapi.json` and a page at `GET /docs` to read it and try it out; both public and served from disk. */
export function docsRoutes({ explains }: Pick<ApiDeps, 'explains'>): Router<ApiState> {
  const router = new Router<ApiState>();
  let document: string | undefined;
  router.get('/openapi.json', (ctx) => {
    document ??= JSON.stringify(openApiDocument({ explains }));
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.type = 'application/json';
    ctx.body = document;
  });
  router.get('/docs', (ctx) => {
    ctx.set('Content-Security-Policy', POLICY);
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = PAGE;
  });
  router.get('/docs/:file', async (ctx) => {
    const { file } = ctx.params as { file: string };
    const { type, body } = await pageFile(file);
    ctx.set({ 'Cache-Control': 'public, max-age=3600', 'X-Content-Type-Options': 'nosniff' });
    ctx.type = type;
    ctx.body = body;
  });
  return router;
}

async function pageFile(name: string): Promise<{ type: string; body: string | Buffer }> {
  if (name === 'start.js') return { type: 'text/javascript; charset=utf-8', body: START };
  const type = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (type === undefined) {
    throw new RequestError(404, 'not_found', 'There is nothing at this path.');
  }
  const body = await readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)));
  return { type, body };
}
