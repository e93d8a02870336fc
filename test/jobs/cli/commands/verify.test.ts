import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { signingKeysFile } from '../../../../warehouse/live/signing-keys.ts';
import { dataPaths } from '../../../../warehouse/paths.ts';
import { downloadsDir } from '../../../../jobs/wiring/month-steps.ts';
import { commandsHere } from '../../helpers/program-here.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

test('damaged files are listed with a fix, and the command fails', async (t) => {
  const dataDir = await tempDir(t);
  const command = commandsHere({ DATA_DIR: dataDir, REDIS_URL: 'redis://127.0.0.1:1' });
  t.is((await command('verify')).code, 0);
  const folder = downloadsDir(dataDir);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'a.zip'), 'cut off');
  await writeFile(path.join(folder, 'a.zip.json'), JSON.stringify({ sha256: 'of the whole' }));
  const { code, out } = await command('verify');
  t.is(code, 1);
  t.regex(out, /│ downloads +│ +1 │ .* │ +1 │/);
  t.regex(out, /\ndownloads: a\.zip is damaged\n {2}fix: make backfill /);
  const json = JSON.parse((await command('verify', '--json')).out) as { what: string }[];
  t.like(
    json.find(({ what }) => what === 'downloads'),
    { checked: 1, damaged: ['a.zip'] },
  );
  const model = path.join(dataPaths(dataDir).modelsDir, '0123456789ab');
  await mkdir(model, { recursive: true });
  await writeFile(path.join(model, 'card.json'), '{bro');
  const { out: after } = await command('verify');
  t.regex(after, /\nmodels: 0123456789ab\/model\.onnx is damaged\n/);
  t.regex(after, /\nmodels: 0123456789ab\/card\.json is damaged\n/);
  const list = await command('model');
  t.regex(list.out, /│ 0123456789ab │ unusable, card damaged, released │ model\.onnx is missing/);
});

test('a damaged copy of the signing keys is listed with a fix, and the other files are still verified', async (t) => {
  const dataDir = await tempDir(t);
  const command = commandsHere({ DATA_DIR: dataDir, REDIS_URL: 'redis://127.0.0.1:1' });
  const file = signingKeysFile(dataDir);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, '[{"kid":');
  const { code, out } = await command('verify');
  t.is(code, 1);
  t.regex(out, /│ models +│ +0 │/);
  t.regex(
    out,
    /\nkeys: signing-keys\.json is damaged\n {2}fix: delete the file and restart the API/,
  );
});
