import { cp, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { codeVersionOf } from '../../../warehouse/lake/code-version.ts';
import { aFolder } from '../../helpers/flight-files.ts';

test('the code version consists of the release and a hash of the code that reads flight files', async (t) => {
  const version = await codeVersionOf('1.2.3');
  t.regex(version, /^1\.2\.3\+[0-9a-f]{8}$/);
  t.is(await codeVersionOf('1.2.3'), version);
});

test('a change of a hashed file changes the version; a copy in another folder does not', async (t) => {
  const [root, copy] = [await aFolder(t), await aFolder(t)];
  await writeFile(path.join(root, 'forms.ts'), 'forms');
  await cp(
    path.join(import.meta.dirname, '../../../pipelines/providers/bts'),
    path.join(root, 'sql'),
    {
      recursive: true,
    },
  );
  await cp(root, copy, { recursive: true });
  const versionOf = (folder: string) =>
    codeVersionOf('1', { root: folder, places: ['forms.ts', 'sql'] });
  const before = await versionOf(root);
  t.is(await versionOf(copy), before);

  const bts = path.join(copy, 'sql/bts_short.sql');
  await writeFile(bts, 'select 1');
  const changed = await versionOf(copy);
  t.not(changed, before);
  await rename(bts, path.join(copy, 'sql/bts_long.sql'));
  t.not(await versionOf(copy), changed);
});
