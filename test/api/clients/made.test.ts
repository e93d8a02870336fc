import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { pythonClient } from '../../../api/clients/python.ts';
import { typescriptClient } from '../../../api/clients/typescript.ts';
import { openApiDocument } from '../../../api/openapi/document.ts';
import { KINDS, LANGUAGES, snippet, type Language } from '../../../api/openapi/snippets.ts';
import { hasPython } from '../../../jobs/cli/setup.ts';
import { aStore } from '../../helpers/store.ts';
import { tempDir } from '../../jobs/helpers/temp-dir.ts';
import { CURRENT_CONTRACT } from '../../models/helpers/model.ts';
import { fakeKeys, SOME_KEY } from '../helpers/app.ts';
import { OPERATIONS } from '../helpers/documented.ts';
import { aModel, modelsWith } from '../helpers/model.ts';
import { serveApi } from '../helpers/served.ts';

const run = promisify(execFile);
const root = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const text = (path: string) => readFile(root(path), 'utf8');
const HAS: Record<Language, boolean> = {
  curl: spawnSync('curl', ['--version']).status === 0,
  typescript: true,
  python: hasPython(),
};

test('the clients are up to date: `npm run clients` changes nothing', async (t) => {
  const runtime = (name: string) => text(`api/clients/runtime.${name}`);
  t.is(typescriptClient(await runtime('ts')), await text('api/clients/headwind.ts'));
  t.is(pythonClient(await runtime('py')), await text('api/clients/headwind.py'));
});

test('our client and the clients of three other generators compile in strict mode on their own', async (t) => {
  const folder = await tempDir(t);
  const at = (name: string) => join(folder, name);
  await copyFile(root('api/clients/headwind.ts'), at('headwind.ts'));
  await writeFile(at('openapi.json'), JSON.stringify(openApiDocument()));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const runScript = (script: string, ...args: string[]) =>
    run(process.execPath, [root(`node_modules/${script}`), ...args], { env, cwd: folder });
  await Promise.all([
    runScript('@redocly/cli/bin/cli.js', 'generate-client', 'openapi.json', '-o', 'redocly.ts'),
    runScript('oazapfts/dist/cli.js', 'openapi.json', 'oazapfts.ts'),
    runScript('openapi-typescript-codegen/bin/index.js', '-i', 'openapi.json', '-o', 'codegen'),
  ]);
  const options = {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  };
  // This generator has its own runtime.
  await mkdir(at('node_modules'));
  await symlink(root('node_modules/@oazapfts'), at('node_modules/@oazapfts'));
  const files = ['headwind.ts', 'redocly.ts', 'oazapfts.ts', 'codegen/index.ts'];
  await writeFile(at('tsconfig.json'), JSON.stringify({ compilerOptions: options, files }));
  const { stdout } = await run(process.execPath, [
    root('node_modules/typescript/bin/tsc'),
    '-p',
    folder,
  ]).catch((error: unknown) => error as { stdout: string });
  t.is(stdout, '');
});

test('a TypeScript snippet names the Node version that runs it', (t) => {
  const [first = ''] = snippet('typescript', 'http://127.0.0.1:8080/api/health').split('\n');
  t.regex(first, /^\/\/ Run with Node 22\.18 or later: node call\.mts\./);
});

test('snippets pass parameters in their documented types', (t) => {
  const types = { list: 'array', flag: 'boolean', number: 'integer' };
  for (const { parameters } of OPERATIONS) {
    for (const { name, schema } of parameters.filter((one) => one.name !== 'month')) {
      const kind = KINDS[name];
      t.is((schema as { type: string }).type, kind ? types[kind] : 'string', name);
    }
  }
});

/**
 * Starts a service that answers all endpoints. Returns one address for each GET endpoint without parameters in its path, with an example of every
 * parameter.
 */
async function addresses(t: ExecutionContext): Promise<string[]> {
  const { contract } = CURRENT_CONTRACT;
  const file = { file: 'model.onnx', version: '0123456789ab', bytes: 1, sha256: '01', contract };
  const store = aStore({ manifest: { model: file } });
  const base = await serveApi(t, {
    keys: fakeKeys({ isAdmin: true }),
    models: modelsWith(aModel().model),
    stores: { current: () => store },
  });
  // Snippets are for calls that a page can send.
  const calls = OPERATIONS.filter(({ method, path }) => method === 'get' && !path.includes('{'));
  return calls.map(({ path, parameters }) => {
    const params = parameters
      // A flight number replaces other parameters.
      .filter(({ name }) => name !== 'flight')
      .map(({ name, example }): [string, string] => [name, `${example}`]);
    return `${base}${path}?${new URLSearchParams(params)}`;
  });
}

/** How to run the snippets of one language in one process. Each prints its response. */
const RUNS = {
  curl: async (folder: string, snippets: string[]) => {
    await writeFile(join(folder, 'all.sh'), snippets.map((one) => `${one}echo\n`).join(''));
    return ['sh', ['-e', 'all.sh']] as const;
  },
  typescript: async (folder: string, snippets: string[]) => {
    await copyFile(root('api/clients/headwind.ts'), join(folder, 'headwind.ts'));
    const names = snippets.map((_, at) => `snippet-${at}.ts`);
    await Promise.all(names.map((name, at) => writeFile(join(folder, name), snippets[at]!)));
    const all = names.map((name) => `await import('./${name}');\n`).join('');
    await writeFile(join(folder, 'all.ts'), all);
    return [process.execPath, ['--disable-warning=ExperimentalWarning', 'all.ts']] as const;
  },
  python: async (folder: string, snippets: string[]) => {
    await copyFile(root('api/clients/headwind.py'), join(folder, 'headwind.py'));
    await writeFile(join(folder, 'all.py'), snippets.join(''));
    return ['python3', ['-W', 'error', 'all.py']] as const;
  },
};

for (const language of LANGUAGES) {
  const title = `the snippets in ${language} run unchanged, and print the response of every endpoint`;
  (HAS[language] ? test : test.skip)(title, async (t) => {
    const folder = await tempDir(t);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const snippets = (await addresses(t)).map((address) => snippet(language, address));
    t.true(snippets.length >= 11);
    const [program, args] = await RUNS[language](folder, snippets);
    const env = { ...process.env, HEADWIND_KEY: SOME_KEY };
    const { stdout } = await run(program, [...args], { cwd: folder, env });
    for (const field of [
      'score_linear',
      'results',
      'days',
      'airlines',
      'fetched_at',
      'explanation',
    ]) {
      t.true(stdout.includes(field), field);
    }
    for (const field of [
      'outlook_shares',
      'requests_this_month',
      'key_prefix',
      'message',
      'status',
    ]) {
      t.true(stdout.includes(field), field);
    }
  });
}

(HAS.python ? test : test.skip)(
  'the client in Python raises errors with code and parameter, and waits for the time in Retry-After',
  async (t) => {
    const folder = await tempDir(t);
    await copyFile(root('api/clients/headwind.py'), join(folder, 'headwind.py'));
    const base = await serveApi(t, { keys: fakeKeys({ verdict: 'over', monthCount: 100 }) });
    const code = `
import headwind, time
client = headwind.Headwind("${base}", "${SOME_KEY}")
for send in (lambda: client.score(origin="ZZZ", dest="LAX", airline="AA", date="2026-03-20"), lambda: client.airlines(origin="JFK", dest="LAX")):
    try:
        send()
    except headwind.HeadwindError as error:
        print(error.status, error.code, error.param, error.retry_after)
try:
    headwind.Headwind("http://127.0.0.1:9", retries=0).health()
except headwind.HeadwindError as error:
    print(error.status, error.code, type(error.__cause__).__name__)
errors = [headwind.HeadwindError(503, {"Retry-After": "1"}, {}), None]
def once(url, accepted, method):
    error = errors.pop(0)
    if error: raise error
    return {}
client._try = once
began = time.monotonic()
client.airlines(origin="JFK", dest="LAX")
print(0.99 < time.monotonic() - began < 5, errors)
`;
    const { stdout } = await run('python3', ['-c', code], { cwd: folder });
    const lines = stdout.trim().split('\n');
    t.is(lines[0], '404 unknown_airport origin None');
    t.regex(lines[1] ?? '', /^429 rate_limit_exceeded None \d+$/);
    t.is(lines[2], 'None no_response URLError');
    t.is(lines[3], 'True []');
  },
);

/**
 * Starts a server that sends the headers, then one byte of the body every 100 ms. With `cut`, the body ends in the
 * middle.
 */
async function serveSlowly(t: ExecutionContext, cut = false): Promise<string> {
  const server = createServer((request, response) => {
    const status = request.url?.startsWith('/api/health') ? 200 : 404;
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{');
    const drip = setInterval(() => (cut ? response.destroy() : response.write(' ')), 100);
    response.on('close', () => clearInterval(drip));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

(HAS.python ? test : test.skip)(
  'the deadline of the client in Python covers a whole try, even if the response arrives byte by byte',
  async (t) => {
    const folder = await tempDir(t);
    await copyFile(root('api/clients/headwind.py'), join(folder, 'headwind.py'));
    const code = `
import headwind, time
for base, name in (("${await serveSlowly(t)}", "health"), ("${await serveSlowly(t)}", "model"), ("${await serveSlowly(t, true)}", "health")):
    client = headwind.Headwind(base, "${SOME_KEY}", deadline=0.5, retries=0)
    began = time.monotonic()
    try:
        getattr(client, name)()
    except headwind.HeadwindError as error:
        print(error.status, error.code, type(error.__cause__).__name__, time.monotonic() - began < 2)
`;
    const { stdout } = await run('python3', ['-W', 'error', '-c', code], { cwd: folder });
    t.deepEqual(stdout.trim().split('\n'), [
      'None no_response TimeoutError True',
      'None no_response TimeoutError True',
      'None no_response IncompleteRead True',
    ]);
  },
);
