/** A fake API: answers 503 until something is published. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Redis } from 'ioredis';

const dataDir = process.env['DATA_DIR'] ?? '';

if (process.env['FAKE_API_BROKEN'] !== undefined) {
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
  return 401;
}
