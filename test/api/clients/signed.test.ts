import { execFile, spawnSync } from 'node:child_process';
import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { tempDir } from '../../jobs/helpers/temp-dir.ts';
import { SOME_KEY } from '../helpers/app.ts';
import { serveApi } from '../helpers/served.ts';

const run = promisify(execFile);
const root = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Returns the example of docs/api.md that verifies a signature in this language. */
async function documentedExample(language: string): Promise<string> {
  const docs = await readFile(root('docs/api.md'), 'utf8');
  const [, chapter = ''] = docs.split('\n## Signed answers\n');
  return chapter.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';
}

test('the example in TypeScript verifies the proof that the client reports', async (t) => {
  const base = await serveApi(t);
  const example = (await documentedExample('ts')).replace('https://headwind.example', base);
  const code = `
import { createClient, type Proof } from './headwind.ts';

let proof: Proof = { url: '', body: '', signature: '' };
const client = createClient({ baseUrl: '${base}', apiKey: '${SOME_KEY}', onSigned: (one) => { proof = one; } });
await client.airlines({ origin: 'JFK', dest: 'LAX', signed: true });
const { body, signature: xSignature } = proof;
${example}
console.log(typeof protectedHeader.iat, protectedHeader.store);
`;
  const folder = await tempDir(t);
  await symlink(root('node_modules'), join(folder, 'node_modules'));
  await copyFile(root('api/clients/headwind.ts'), join(folder, 'headwind.ts'));
  await writeFile(join(folder, 'verify.mts'), code);
  const { stdout } = await run(process.execPath, [join(folder, 'verify.mts')]);
  t.regex(stdout, /^number \S+\n$/);
});

const hasCryptography = spawnSync('python3', ['-c', 'import cryptography']).status === 0;

(hasCryptography ? test : test.skip)(
  'the example in Python verifies the proof that the client reports, and refuses another body',
  async (t) => {
    const base = await serveApi(t);
    const folder = await tempDir(t);
    await copyFile(root('api/clients/headwind.py'), join(folder, 'headwind.py'));
    const example = await documentedExample('python');
    const code = `
import json, urllib.request
from cryptography.exceptions import InvalidSignature
from headwind import Headwind

proofs = []
client = Headwind("${base}", "${SOME_KEY}", on_signed=lambda *proof: proofs.append(proof))
client.score(origin="JFK", dest="LAX", airline="AA", date="2026-03-20", signed=True)
client.score(origin="JFK", dest="LAX", airline="AA", date="2026-03-20")
((url, body, x_signature),) = proofs
assert "api_key" not in url, url
key = json.load(urllib.request.urlopen("${base}/.well-known/jwks.json"))["keys"][0]
${example}
try:
    body = body.replace(b"JFK", b"EWR")
${example.replaceAll(/^(?=.)/gm, '    ')}
except InvalidSignature:
    print("verified")
`;
    const { stdout } = await run('python3', ['-c', code], { cwd: folder });
    t.is(stdout, 'verified\n');
  },
);
