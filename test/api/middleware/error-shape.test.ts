import type { RequestListener } from 'node:http';
import test from 'ava';
import Koa from 'koa';
import inject from 'light-my-request';
import { pino } from 'pino';
import type { ApiState } from '../../../api/context.ts';
import { errorShape } from '../../../api/middleware/error-shape.ts';
import { publicDocument, sendDocument } from '../../../api/routes/public-document.ts';

test('an error after the headers of a public document may not be cached', async (t) => {
  const app = new Koa<ApiState>();
  const page = publicDocument('text/html; charset=utf-8', '<p>a page</p>');
  const compress = () => Promise.reject(new Error('no memory'));
  app.use(errorShape(pino({ level: 'silent' })));
  app.use((ctx) =>
    sendDocument(
      ctx,
      page,
      { 'Cache-Control': 'public, max-age=86400' },
      { compress, fromBytes: 1 },
    ),
  );
  const handle = app.callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  const { statusCode, headers, payload } = await inject(listener, {
    url: '/',
    headers: { 'accept-encoding': 'br' },
  });
  t.is(statusCode, 500);
  t.like(JSON.parse(payload), { error: 'internal_error' });
  t.is(headers['cache-control'], 'no-store');
  t.is(headers.etag, undefined);
  t.is(headers['content-encoding'], undefined);
});
