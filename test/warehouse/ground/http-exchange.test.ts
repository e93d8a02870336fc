import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import {
  BrokenExchangeError,
  readBody,
  sendRequest,
} from '../../../warehouse/ground/http-exchange.ts';
import { hurtfulServer, WAYS } from '../../../bench/stage/hurtful-server.ts';

const BODY = Buffer.alloc(65_536, 'flights ');
/** Longer than a server takes to send a body and to close the connection. */
const PAUSE_MS = 100;

for (const [manner, way] of Object.entries(WAYS)) {
  if (way.outcome === 'unanswered') continue;
  test(`a body that is read late is ${way.outcome === 'intact' ? 'whole' : 'broken'} if the server ${manner}`, async (t) => {
    const url = await hurtfulServer(t, way, BODY);
    const deadline = new AbortController();
    const answer = await sendRequest(url, { method: 'GET', signal: deadline.signal });
    await sleep(PAUSE_MS);
    const body = readBody(answer);
    // Only the deadline ends the wait for a server that stops.
    if (manner === 'stops in the middle') deadline.abort();
    if (way.outcome === 'intact') t.deepEqual(await body, BODY);
    else await t.throwsAsync(body, { instanceOf: BrokenExchangeError });
  });

  test(`nothing happens if a body is never read and the server ${manner}`, async (t) => {
    const url = await hurtfulServer(t, way, BODY);
    const deadline = new AbortController();
    const { status } = await sendRequest(url, { method: 'GET', signal: deadline.signal });
    await sleep(PAUSE_MS);
    deadline.abort();
    await sleep(PAUSE_MS);
    t.is(status, 200);
  });
}

test('a body that is too long is an error', async (t) => {
  const url = await hurtfulServer(t, WAYS['keeps the connection open']!, BODY);
  const answer = await sendRequest(url, { method: 'GET', signal: AbortSignal.timeout(60_000) });
  await t.throwsAsync(readBody(answer, 1_000), { message: 'the answer is longer than 1000 bytes' });
});
