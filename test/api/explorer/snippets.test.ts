import { execFile, spawnSync } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { LANGUAGES, type Language } from '../../../api/openapi/snippets.ts';
import { hasPython } from '../../../jobs/cli/setup.ts';
import { tempDir } from '../../jobs/helpers/temp-dir.ts';
import { SOME_KEY } from '../helpers/app.ts';
import { explorerDeps, PLACES } from '../helpers/explorer-world.ts';
import { serveApi } from '../helpers/served.ts';

const run = promisify(execFile);

const FLIGHTS = ['/flights/JFK-LAX-AA-2026-03-20?dep_time=07:30', '/flights/AKL-JFK-NZ-2026-03-20'];

/** Text printed between the answers of one run. */
const SEPARATOR = '<<<cut>>>';

type Runner = {
  /** Whether the tool is installed: a fresh machine may lack curl or most of Python. */
  isInstalled: () => boolean;
  command: string;
  args: string[];
  file: string;
  text: string;
};

/** Runs all snippets of a language one after another in one process. Each prints its answer as JSON. */
const RUNNERS: Record<Language, Runner> = {
  curl: {
    isInstalled: () => spawnSync('curl', ['--version']).status === 0,
    command: 'sh',
    args: ['all.sh'],
    file: 'all.sh',
    text: `for at in *.curl; do curl() { command curl --silent "$@"; }; . ./$at; echo '${SEPARATOR}'; done`,
  },
  typescript: {
    isInstalled: () => true,
    command: process.execPath,
    args: ['all.ts'],
    file: 'all.ts',
    text: `import { readdirSync } from 'node:fs';
const log = console.log;
console.log = (answer) => log(JSON.stringify(answer));
for (const name of readdirSync('.').filter((one) => /^\\d+\\.ts$/.test(one)).sort()) {
  await import('./' + name);
  log('${SEPARATOR}');
}`,
  },
  python: {
    isInstalled: hasPython,
    command: 'python3',
    args: ['all.py'],
    file: 'all.py',
    text: `import glob, json
for name in sorted(glob.glob('[0-9]*.python')):
    exec(open(name).read(), {'print': lambda answer: print(json.dumps(answer))})
    print('${SEPARATOR}')
`,
  },
};

const SUFFIXES: Record<Language, string> = { curl: 'curl', typescript: 'ts', python: 'python' };

test('every code snippet on a page returns the same answer as its address, in every language', async (t) => {
  const base = await serveApi(t, explorerDeps());
  const shownCalls = await Promise.all(
    ['/', ...FLIGHTS, ...PLACES].map((path) => callsAt(base + path)),
  );
  // Several pages show the same call.
  const calls = [...new Map(shownCalls.flat().map((call) => [call.address, call])).values()];
  t.true(calls.length >= 8, String(calls.map(({ address }) => address)));
  const folder = await tempDir(t);
  const client = (name: string) =>
    fileURLToPath(new URL(`../../../api/clients/${name}`, import.meta.url));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const clients = ['headwind.ts', 'headwind.py'];
  await Promise.all(clients.map((name) => copyFile(client(name), join(folder, name))));
  const answers = await Promise.all(
    calls.map(async ({ address }) => {
      const joint = address.includes('?') ? '&' : '?';
      return (await fetch(`${address}${joint}api_key=${SOME_KEY}`)).json();
    }),
  );
  const env = { ...process.env, HEADWIND_KEY: SOME_KEY, PYTHONDONTWRITEBYTECODE: '1' };
  for (const language of LANGUAGES) {
    const { isInstalled, command, args, file, text } = RUNNERS[language];
    if (!isInstalled()) continue;
    await writeFile(join(folder, file), text);
    await Promise.all(
      calls.map(({ code }, at) =>
        writeFile(join(folder, `${100 + at}.${SUFFIXES[language]}`), code[language]),
      ),
    );
    const { stdout } = await run(command, args, { env, cwd: folder, maxBuffer: 2 ** 24 });
    const outputs = stdout.split(SEPARATOR).slice(0, -1);
    t.is(outputs.length, calls.length, language);
    for (const [at, { address }] of calls.entries()) {
      t.deepEqual(JSON.parse(outputs[at] ?? ''), answers[at], `${language} ${address}`);
    }
  }
});

type ShownCall = { address: string; code: Record<Language, string> };

async function callsAt(address: string): Promise<ShownCall[]> {
  const page = await (await fetch(address, { headers: { accept: 'text/html' } })).text();
  const codes = (name: string) =>
    [...page.matchAll(new RegExp(`<pre id="call-\\d+-${name}"[^>]*><code>(.*?)</code>`, 'gs'))].map(
      ([, code = '']) => decodeEntities(code),
    );
  const [curl, typescript, python] = LANGUAGES.map(codes);
  return codes('address').map((address, at) => ({
    address,
    code: {
      curl: curl?.[at] ?? '',
      typescript: typescript?.[at] ?? '',
      python: python?.[at] ?? '',
    },
  }));
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };

function decodeEntities(markup: string): string {
  return markup.replaceAll(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}
