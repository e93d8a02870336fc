import { cp, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { codeVersionOf } from '../../../warehouse/lake/code-version.ts';
import { aFolder } from '../../helpers/flight-files.ts';

test('the code is named by its release and by what reads flight files', async (t) => {
  const version = await codeVersionOf('1.2.3');
  t.regex(version, /^1\.2\.3\+[0-9a-f]{8}$/);
  t.is(await codeVersionOf('1.2.3'), version);
});

test('a change of any file that reads flight files is another version, the same text elsewhere is not', async (t) => {
  const [root, copy] = [await aFolder(t), await aFolder(t)];
  await writeFile(path.join(root, 'forms.ts'), 'forms');
  await cp(
    path.join(import.meta.dirname, '../../../warehouse/sql/sources'),
    path.join(root, 'sql'),
    {
      recursive: true,
    },
  );
  await cp(root, copy, { recursive: true });
  const of = (folder: string) => codeVersionOf('1', { root: folder, places: ['forms.ts', 'sql'] });
  const before = await of(root);
  t.is(await of(copy), before);

  const bts = path.join(copy, 'sql/bts_short.sql');
  await writeFile(bts, 'select 1');
  const changed = await of(copy);
  t.not(changed, before);
  await rename(bts, path.join(copy, 'sql/bts_long.sql'));
  t.not(await of(copy), changed);
});
