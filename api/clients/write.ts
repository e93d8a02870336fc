/** `npm run clients`: regenerates the clients from the OpenAPI document. */
import { readFileSync, writeFileSync } from 'node:fs';
import { pythonClient } from './python.ts';
import { typescriptClient } from './typescript.ts';

const at = (name: string) => new URL(name, import.meta.url);
const read = (name: string) => readFileSync(at(name), 'utf8');

writeFileSync(at('headwind.ts'), typescriptClient(read('runtime.ts')));
writeFileSync(at('headwind.py'), pythonClient(read('runtime.py')));
