import { createApp } from '../../../api/app.ts';
import { createClient, type Client, type ClientOptions } from '../../../api/clients/headwind.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { startServer } from '../../../api/server/server.ts';
import { SOME_KEY, someDeps } from './app.ts';

type Teardown = { teardown: (end: () => Promise<void>) => void };

/** Serves an API on a free port until the test ends, and returns a client for it. */
export async function startClient(
  t: Teardown,
  changes: Partial<ApiDeps> = {},
  options: Partial<ClientOptions> = {},
): Promise<Client> {
  const baseUrl = await serveApi(t, changes);
  return createClient({ baseUrl, apiKey: SOME_KEY, retries: 0, ...options });
}

/** Serves an API until the test ends, and returns its address. */
export async function serveApi(t: Teardown, changes: Partial<ApiDeps> = {}): Promise<string> {
  const handle = createApp(someDeps(changes)).callback();
  const server = await startServer((request, response) => void handle(request, response), {
    port: 0,
    host: '127.0.0.1',
  });
  t.teardown(server.close);
  return `http://127.0.0.1:${server.port}`;
}
