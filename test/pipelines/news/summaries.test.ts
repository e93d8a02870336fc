import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createLlmSummary, isFaithful } from '../../../pipelines/news/llm-summary.ts';
import { builtInSummary, type UnsummarisedItem } from '../../../pipelines/news/summarise.ts';
import { aNewsItem } from '../../helpers/news-items.ts';

const item = (changes: Partial<UnsummarisedItem> = {}): UnsummarisedItem => ({
  ...aNewsItem(),
  description: 'Handlers at Kennedy stop work on Friday; 40 flights are cancelled.',
  ...changes,
});

const BUILT_IN = 'Industrial action is reported to disrupt flights at JFK.';

test('the built-in summary is one sentence built from the classification', (t) => {
  t.is(builtInSummary(item()), BUILT_IN);
  const manyTouches = { airports: [], carriers: ['AA', 'DL'], countries: ['US'] };
  t.is(
    builtInSummary(item({ eventType: 'technical', impact: 'high', touches: manyTouches })),
    'A technical problem is reported to stop or cancel flights of AA and DL in the United States.',
  );
  const many = { airports: ['BGY', 'LIN', 'MXP', 'TRN', 'VCE'], carriers: [], countries: [] };
  t.is(
    builtInSummary(item({ eventType: 'weather', impact: 'low', touches: many })),
    'Weather is reported to delay flights at BGY, LIN, MXP and 2 more.',
  );
});

test('a sentence is accepted only when its names, days and numbers are in the item', (t) => {
  t.true(isFaithful('Expect cancellations at Kennedy on Friday.', item()));
  t.true(isFaithful('The strike cancels 40 flights at Kennedy.', item()));
  for (const sentence of [
    'Expect cancellations at Newark on Friday.',
    'Expect cancellations at Kennedy on Monday.',
    'The strike cancels 400 flights at Kennedy.',
    'Flights stop for three days at Kennedy.',
    'Flights stop. All of them.',
    'Will flights stop?',
    'Flights stop',
    '',
    `Flights stop ${'and stop '.repeat(40)}.`,
    'Newark flights stop.',
  ]) {
    t.false(isFaithful(sentence, item()), sentence);
  }
});

async function anEndpoint(t: ExecutionContext, content: string, status = 200) {
  const requests: { url: string; authorization: string; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      requests.push({
        url: request.url ?? '',
        authorization: request.headers.authorization ?? '',
        body,
      });
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ message: { content } }] }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { requests, config: { baseUrl, model: 'small', apiKey: 'sk-secret' } };
}

test('an endpoint is called with OpenAI’s protocol, and its sentence is used', async (t) => {
  const { requests, config } = await anEndpoint(t, 'Expect cancellations at Kennedy on Friday.\n');
  const summarise = createLlmSummary(config);
  t.is(await summarise(item()), 'Expect cancellations at Kennedy on Friday.');
  t.is(requests[0]?.url, '/v1/chat/completions');
  t.is(requests[0]?.authorization, 'Bearer sk-secret');
  t.is((JSON.parse(requests[0]?.body ?? '{}') as { model: string }).model, 'small');
});

test('an invented sentence and a failing endpoint are replaced by the built-in summary', async (t) => {
  const { config } = await anEndpoint(t, 'All 400 flights from Newark are cancelled.');
  t.is(await createLlmSummary(config)(item()), BUILT_IN);
  const broken = await anEndpoint(t, '', 500);
  const summarise = createLlmSummary(broken.config);
  for (let round = 0; round < 5; round += 1) t.is(await summarise(item()), BUILT_IN);
  // After two consecutive failures the endpoint is not called again.
  t.is(broken.requests.length, 2);
});
