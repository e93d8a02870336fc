import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { BTS } from '../../../pipelines/providers/bts/provider.ts';
import { FLIGHT_FORMS } from '../../../pipelines/providers/index.ts';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { aFile, aFolder } from '../../helpers/flight-files.ts';

/** Columns that the SQL of a provider's counts must select, without `row_number`. */
const COUNTS = `
  date '2024-01-01' as month, '2024-01' as month_text, 'QF' as carrier, 'SYD' as origin, 'MEL' as dest,
  'arrival' as delay_basis, null::tinyint as crs_dep_hour, 10 as flight_count, 0 as cancelled_count,
  null::bigint as diverted_count, 10 as completed_count, 0 as delayed15_count, null::bigint as delayed_count,
  null::bigint as delayed60_count, null::bigint as delayed120_count, null::bigint as delayed180_count,
  null::bigint as delayed360_count, null::bigint as delayed_min_sum, 1 as period_months, false as is_both_directions,
  null::struct(column_name varchar, "value" varchar, reason varchar) as exclusion`;

/** Reads a file of two rows with this SQL of a new provider. Returns the error. */
async function readError(t: ExecutionContext, select: string) {
  const folder = await aFolder(t);
  await writeFile(
    path.join(folder, 'acme_counts.sql'),
    `-- One row per row.\ncreate or replace temp view acme_counts as\n${select}`,
  );
  const deps = createExtractDeps({ lakeDir: await aFolder(t), codeVersion: 'test' });
  const file = await deps.inspect(await aFile(t, 'airline,late\nQF,1\nVA,2\n', 'acme.csv'));
  const error = await t.throwsAsync(
    deps.stage(
      file,
      {
        name: 'acme_counts',
        provider: 'acme',
        folder,
        kind: 'route_hours',
        required: ['airline', 'late'],
        optional: [],
        hasExclusions: true,
        delayBasis: 'arrival',
        calendar: 'year_month',
      },
      undefined,
    ),
    { instanceOf: SourceFormatError },
  );
  return error.message;
}

test('an unknown column in the SQL of a provider is reported with file, provider and line', async (t) => {
  t.regex(
    await readError(t, `select row_number, ${COUNTS}, airlin from source`),
    /^acme\.csv: cannot be read with acme_counts\.sql of provider acme: Binder Error: .*"airlin" not found.*\(line \d+: .*airlin/,
  );
});

test('a mistake in the syntax of the SQL is reported with file, provider and line', async (t) => {
  t.regex(
    await readError(t, 'select row_number,, airline from source'),
    /with acme_counts\.sql of provider acme: .*Parser Error: .*\(line 3: select row_number,, airline/,
  );
});

test('a value that the SQL cannot convert is reported with file and provider', async (t) => {
  t.regex(
    await readError(
      t,
      `select row_number, ${COUNTS} replace (airline::int as flight_count) from source`,
    ),
    /with acme_counts\.sql of provider acme: /,
  );
});

test('SQL without the number of the row is reported', async (t) => {
  t.regex(
    await readError(t, `select ${COUNTS} from source`),
    /with acme_counts\.sql of provider acme: Binder Error: .*row_number/,
  );
});

test('SQL whose join repeats rows is reported', async (t) => {
  t.regex(
    await readError(
      t,
      `select row_number, ${COUNTS} from source left join (values ('QF'), ('QF')) as names (code) on code = airline`,
    ),
    /has 2 rows, but acme_counts\.sql of provider acme returned 3\. It must return each row exactly once/,
  );
});

test('SQL that keeps the order of the file has no step that could change the order', async (t) => {
  const models = FLIGHT_FORMS.filter(({ keepsOrder }) => keepsOrder);
  t.true(models.length >= BTS.forms.length);
  for (const { name, source = name, folder } of models) {
    const sql = await readFile(path.join(folder, `${source}.sql`), 'utf8');
    const statements = sql.replaceAll(/--.*/g, '');
    t.notRegex(statements, /\b(join|union|group by|distinct|over|qualify|order by|where)\b/i, name);
  }
});
