import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { downloadsDir } from '../../../../jobs/wiring/month-steps.ts';
import { commandsHere } from '../../helpers/program-here.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

test('what is not as it was written is named with what helps, and fails the command', async (t) => {
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
  t.regex(out, /\ndownloads: a\.zip is not what was written\n {2}what helps: make backfill /);
  const json = JSON.parse((await command('verify', '--json')).out) as { what: string }[];
  t.like(
    json.find(({ what }) => what === 'downloads'),
    { checked: 1, damaged: ['a.zip'] },
  );
});
