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
import { anAddress } from '../helpers/served.ts';

const run = promisify(execFile);

const FLIGHTS = ['/flights/JFK-LAX-AA-2026-03-20?dep_time=07:30', '/flights/AKL-JFK-NZ-2026-03-20'];

/** Stands between the answers of one run. */
const CUT = '<<<cut>>>';

type Runner = {
  /** Whether the machine has what is needed: fresh ones lack curl, or most of Python. */
  isThere: () => boolean;
  command: string;
  args: string[];
  file: string;
  text: string;
};

/** How each language's snippets are run, one after the other in one process, each printing its answer as JSON. */
const RUNNERS: Record<Language, Runner> = {
  curl: {
    isThere: () => spawnSync('curl', ['--version']).status === 0,
    command: 'sh',
    args: ['all.sh'],
    file: 'all.sh',
    text: `for at in *.curl; do curl() { command curl --silent "$@"; }; . ./$at; echo '${CUT}'; done`,
  },
  typescript: {
    isThere: () => true,
    command: process.execPath,
    args: ['all.ts'],
    file: 'all.ts',
    text: `import { readdirSync } from 'node:fs';
const log = console.log;
console.log = (answer) => log(JSON.stringify(answer));
for (const name of readdirSync('.').filter((one) => /^\\d+\\.ts$/.test(one)).sort()) {
  await import('./' + name);
  log('${CUT}');
}`,
  },
  python: {
    isThere: hasPython,
    command: 'python3',
    args: ['all.py'],
    file: 'all.py',
    text: `import glob, json
for name in sorted(glob.glob('[0-9]*.python')):
    exec(open(name).read(), {'print': lambda answer: print(json.dumps(answer))})
    print('${CUT}')
`,
  },
};

const SUFFIXES: Record<Language, string> = { curl: 'curl', typescript: 'ts', python: 'python' };

test('every call that a page shows answers what its address does, in every language as it is copied', async (t) => {
  const base = await anAddress(t, explorerDeps());
  const shown = await Promise.all(['/', ...FLIGHTS, ...PLACES].map((path) => callsAt(base + path)));
  // Some pages show the same call.
  const calls = [...new Map(shown.flat().map((call) => [call.address, call])).values()];
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
    const { isThere, command, args, file, text } = RUNNERS[language];
    if (!isThere()) continue;
    await writeFile(join(folder, file), text);
    await Promise.all(
      calls.map(({ code }, at) =>
        writeFile(join(folder, `${100 + at}.${SUFFIXES[language]}`), code[language]),
      ),
    );
    const { stdout } = await run(command, args, { env, cwd: folder, maxBuffer: 2 ** 24 });
    const told = stdout.split(CUT).slice(0, -1);
    t.is(told.length, calls.length, language);
    for (const [at, { address }] of calls.entries()) {
      t.deepEqual(JSON.parse(told[at] ?? ''), answers[at], `${language} ${address}`);
    }
  }
});

type Shown = { address: string; code: Record<Language, string> };

async function callsAt(address: string): Promise<Shown[]> {
  const page = await (await fetch(address, { headers: { accept: 'text/html' } })).text();
  const codes = (name: string) =>
    [...page.matchAll(new RegExp(`<pre id="call-\\d+-${name}"[^>]*><code>(.*?)</code>`, 'gs'))].map(
      ([, code = '']) => plain(code),
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

function plain(markup: string): string {
  return markup.replaceAll(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}
