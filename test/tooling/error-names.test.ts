import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROOMS = ['api', 'jobs', 'models', 'pipelines', 'warehouse'];
const ERROR_CLASS = /^(?:export )?class (\w+) extends \w*Error \{\n([\s\S]*?)^\}/gm;
const NAME = /^ {2}override readonly name(?:: string)? = '(\w+)';$/m;

test('every error class sets its own name, in a field', (t) => {
  const listed = execFileSync('git', ['ls-files', ...ROOMS.map((room) => `${room}/*.ts`)], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const classes = listed
    .trim()
    .split('\n')
    // Generated clients do not import from this project.
    .filter((file) => !file.startsWith('api/clients/'))
    .flatMap((file) => [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(ERROR_CLASS)])
    .map(([, name = '', body = '']) => [name, NAME.exec(body)?.[1]]);
  t.true(classes.length > 50, 'the pattern finds classes');
  t.deepEqual(
    classes.filter(([name, field]) => name !== field),
    [],
  );
});
