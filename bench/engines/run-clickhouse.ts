/** `node run-clickhouse.ts <folder with chdb> <statement>`: runs the statement and prints the seconds it took. */
import { createRequire } from 'node:module';
import path from 'node:path';

const [folder = '', statement = ''] = process.argv.slice(2);

type Chdb = { query: (sql: string, format: string) => string };

const { query } = createRequire(path.join(folder, 'package.json'))('chdb') as Chdb;
const startedAt = performance.now();
query(statement, 'CSV');
console.log((performance.now() - startedAt) / 1000);
