/**
 * `node run-bare.ts FILE OUT [COLUMN…]`: converts CSV to Parquet with DuckDB only. Converts the named columns, or all
 * columns if none is named.
 */
import { openDatabase } from '../warehouse/connect.ts';
import { measure } from './measured.ts';

const [file = '', out = '', ...columns] = process.argv.slice(2);
const selected = columns.length === 0 ? '*' : columns.map((name) => `"${name}"`).join(', ');

await measure(async () => {
  const db = await openDatabase();
  // Without ignore_errors, DuckDB stops at the first bad row and writes nothing.
  await db.run(
    `copy (select ${selected} from read_csv($file, header = true, ignore_errors = true))
     to $out (format parquet, compression zstd)`,
    { file, out },
  );
  db.close();
});
