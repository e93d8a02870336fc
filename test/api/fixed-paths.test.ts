import type { RequestListener } from 'node:http';
import inject from 'light-my-request';
import test from 'ava';
import { createApp } from '../../api/app.ts';
import { scoreUrl, someDeps } from './helpers/app.ts';

test('a path in capitals or with a trailing slash is answered like the documented path', async (t) => {
  const handle = createApp(someDeps()).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  const usual = await inject(listener, scoreUrl());
  t.is(usual.statusCode, 200);
  for (const path of ['/API/Score', '/api/score/']) {
    const { statusCode, body } = await inject(listener, scoreUrl().replace('/api/score', path));
    t.is(statusCode, 200, path);
    t.is(body, usual.body, path);
  }
});
