/** Stands for the API: 503 until something is published; knows the keys it made, each one different. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Redis } from 'ioredis';

const dataDir = process.env['DATA_DIR'] ?? '';
const keyFile = join(dataDir, 'fake-keys');

if (process.argv[2] === 'key') {
  const key = `hw_test_${String(Date.now()).padStart(32, '0')}`;
  appendFileSync(keyFile, `${key}\n`);
  console.log(key);
} else if (process.env['FAKE_API_BROKEN'] !== undefined) {
  console.log(JSON.stringify({ level: 60, msg: 'no schema file' }));
  process.exit(4);
} else {
  serve();
}

function serve(): void {
  const redis = new Redis(process.env['REDIS_URL'] ?? '');
  const server = createServer((request, response) => {
    response.writeHead(statusOf(request.url ?? '')).end();
  });
  server.listen(Number(process.env['PORT']), process.env['HOST']);
  process.on('SIGTERM', () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
    redis.disconnect();
  });
}

function statusOf(url: string): number {
  if (url === '/crash') process.exit(3);
  if (url === '/api/health') return existsSync(join(dataDir, 'published')) ? 200 : 503;
  const key = /api_key=(\w+)$/.exec(url)?.[1];
  return key !== undefined && readFileSync(keyFile, 'utf8').includes(key) ? 200 : 401;
}
