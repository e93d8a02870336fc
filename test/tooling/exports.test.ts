import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXPORTED = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;

test('every export is used by another file', (t) => {
  const listed = execFileSync('git', ['ls-files', '*.ts', '*.js'], { cwd: ROOT, encoding: 'utf8' });
  const files = listed.trim().split('\n');
  const texts = files.map((file) => readFileSync(path.join(ROOT, file), 'utf8'));
  const users = new Map<string, number>();
  for (const text of texts) {
    for (const word of new Set(text.match(/\w+/g))) users.set(word, (users.get(word) ?? 0) + 1);
  }
  const unused = files.flatMap((file, at) =>
    [...(texts[at] ?? '').matchAll(EXPORTED)]
      .filter(([, name = '']) => users.get(name) === 1)
      .map(([, name]) => `${file}: ${name}`),
  );
  t.deepEqual(unused, []);
});
