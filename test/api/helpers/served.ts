import { createApp } from '../../../api/app.ts';
import { createClient, type Client, type ClientOptions } from '../../../api/clients/headwind.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { startServer } from '../../../api/server/server.ts';
import { SOME_KEY, someDeps } from './app.ts';

type Teardown = { teardown: (end: () => Promise<void>) => void };

/** An API made of those parts, listening on a free port until the test ends, and the client that calls it. */
export async function aServedApi(
  t: Teardown,
  changes: Partial<ApiDeps> = {},
  options: Partial<ClientOptions> = {},
): Promise<Client> {
  const baseUrl = await anAddress(t, changes);
  return createClient({ baseUrl, apiKey: SOME_KEY, retries: 0, ...options });
}

/** The address of an API made of those parts, there until the test ends. */
export async function anAddress(t: Teardown, changes: Partial<ApiDeps> = {}): Promise<string> {
  const handle = createApp(someDeps(changes)).callback();
  const server = await startServer((request, response) => void handle(request, response), {
    port: 0,
    host: '127.0.0.1',
  });
  t.teardown(server.close);
  return `http://127.0.0.1:${server.port}`;
}
