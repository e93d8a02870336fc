/** `node serve-bare.ts [REDIS_URL KEY BODY_BYTES]`: a minimal Koa server, the reference for the API. */
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { hashKey } from '../../warehouse/keyring/format.ts';
import { redisKeys } from '../../warehouse/keyring/layout.ts';
import { quotaMonth } from '../../warehouse/keyring/month.ts';
import { connectRedis, waitUntilReady } from '../../api/redis.ts';
import { defineScripts } from '../../warehouse/keyring/scripts.ts';

const [redisUrl, apiKey = '', bodyBytes] = process.argv.slice(2);
const app = new Koa();

if (redisUrl === undefined) {
  app.use((ctx) => {
    ctx.body = { ok: true };
  });
} else {
  const redis = connectRedis(redisUrl);
  await waitUntilReady(redis, 5_000);
  const { admit } = defineScripts(redis);
  const hash = hashKey(apiKey);
  const usage = redisKeys.usage(hash, quotaMonth(new Date()).name);
  const body = JSON.stringify('x'.repeat(Number(bodyBytes) - '""'.length));
  app.use(async (ctx) => {
    const [reply] = await admit([{ key: redisKeys.key(hash), usage, cost: 1, atMs: Date.now() }]);
    ctx.status = reply?.[0] === 'admitted' ? 200 : 429;
    ctx.type = 'json';
    ctx.body = body;
  });
}

const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.once('SIGTERM', () => process.exit(0));
