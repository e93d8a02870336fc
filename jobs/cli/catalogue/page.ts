import { buildModels } from '../../../warehouse/build/build.ts';
import {
  describeModels,
  describeTables,
  listColumns,
  listRelations,
} from '../../../warehouse/build/describe.ts';
import { migrate } from '../../../warehouse/build/migrate.ts';
import { createViews } from '../../../warehouse/build/views.ts';
import { openDatabase, type Database } from '../../../warehouse/connect.ts';
import { STORE_TABLES, type StoreTableName } from '../../../warehouse/store/tables.ts';
import { FIELDS_BY_TABLE, FIELDS_BY_OTHER_SOURCE } from './answers.ts';
import {
  RAW_TABLES,
  originOf,
  storeInputs,
  findDependencies,
  listAncestors,
  type Dependencies,
} from './lineage.ts';

const INTRO = `# Catalogue

Every relation of the warehouse with its columns and lineage, from a source file to a field of a response. For data engineers.
\`npm run docs:catalogue\` writes this page from the SQL. [The warehouse](warehouse.md) describes how to query it;
[Data sources](data-sources.md) describes where the data come from.

`;

const CHAPTERS: readonly (readonly [string, string])[] = [
  ['main', 'Views'],
  ['marts', 'Marts'],
  ['raw', 'Raw'],
  ['reference', 'Reference'],
  ['intermediate', 'Intermediate'],
  ['ops', 'Operations'],
];

/** Returns the text of docs/catalogue.md, from an empty warehouse with all relations. */
export async function buildCatalogue(): Promise<string> {
  const db = await openDatabase({ threads: 1 });
  try {
    await migrate(db);
    await buildModels(db, () => undefined);
    await createViews(db, '/nowhere');
    await describeTables(db);
    await describeModels(db);
    return await cataloguePage(db);
  } finally {
    db.close();
  }
}

/** Returns the text of the catalogue. The database must have all models, views and comments. */
async function cataloguePage(db: Database): Promise<string> {
  const dependencies = findDependencies();
  const relations = await listRelations(db);
  const columns = await listColumns(db);
  const chapters = CHAPTERS.map(([schema, title]) => {
    const sections = relations
      .filter((one) => one.schema === schema && one.name !== 'migrations')
      .map(({ name, comment }) => {
        const own = columns.filter((column) => column.schema === schema && column.table === name);
        const rows = own.map((column) => [
          `\`${column.name}\``,
          column.type.toLowerCase(),
          column.comment ?? '',
        ]);
        return [
          `### ${schema === 'main' ? name : `${schema}.${name}`}\n`,
          `${escapeCell(comment ?? '')}\n`,
          ...lineageLines(`${schema}.${name}`, dependencies),
          table(['column', 'type', 'meaning'], rows),
        ].join('\n');
      });
    return `## ${title}\n\n${sections.join('\n')}`;
  });
  return [INTRO, lineageText(dependencies), ...chapters].join('');
}

function lineageText(dependencies: Dependencies): string {
  const files = Object.entries(RAW_TABLES).map(([name, { file, queries }]) => [
    file === undefined ? 'none' : `\`${file}\``,
    queries.map((one) => `\`${one}.sql\``).join(', ') || 'no SQL',
    `\`${name}\``,
  ]);
  const tables = (Object.keys(STORE_TABLES) as StoreTableName[]).map((name) => {
    const inputs = storeInputs(name);
    const roots = new Set(inputs.flatMap((one) => listAncestors(one, dependencies)));
    const raw = [...roots].filter((one) => /^(?:raw|reference)\./.test(one)).toSorted();
    return [
      `\`${name}\``,
      codeList(inputs, 'computed from the other tables'),
      codeList(raw, ''),
      codeList(FIELDS_BY_TABLE[name], ''),
    ];
  });
  const otherInputs = Object.entries(FIELDS_BY_OTHER_SOURCE).map(([input, fields]) => [
    input,
    codeList(fields, ''),
  ]);
  return `## From a file to a response

The [picture](lineage.svg) shows how the models and checks depend on each other; its nodes link to this page. \`/ops/lineage\` shows it with
your own models.

[![Models and checks, from left to right in the order of the build](lineage.svg)](lineage.svg)

\`pipelines/providers/<provider>/<form>.sql\` reads the sources of a form. Every row is checked. Usable rows go into files of the lake, a folder per
month. Each file becomes a table:

${table(['lake file', 'written by, in `warehouse/sql`', 'table'], files)}
Models are built from these tables. A publish fills the tables of the score store from the models:

${table(['store table', 'filled from', 'underlying tables', 'fields of `/api/score`'], tables)}
Fields of \`/api/score\` that use other inputs:

${table(['input', 'fields'], otherInputs)}
`;
}

function lineageLines(name: string, dependencies: Dependencies): string[] {
  const inputs = dependencies.get(name) ?? [];
  const readers = [...dependencies]
    .filter(([, reads]) => reads.includes(name))
    .map(([reader]) => reader);
  const stores = (Object.keys(STORE_TABLES) as StoreTableName[]).filter((one) =>
    storeInputs(one).includes(name),
  );
  const origin = originOf(name);
  const lines = [
    ...(origin === undefined ? [] : [origin]),
    ...(inputs.length > 0 ? [`Reads ${codeList(inputs, '')}.`] : []),
    ...(readers.length > 0 ? [`Read by ${codeList(readers, '')}.`] : []),
    ...(stores.length > 0 ? [`Fills the store's ${codeList(stores, '')}.`] : []),
  ];
  return lines.length > 0 ? [`${lines.join(' ')}\n`] : [];
}

function codeList(names: readonly string[], fallback: string): string {
  const items = names.map((name) =>
    name === 'the lake' ? name : `\`${name.replace('main.', '')}\``,
  );
  return items.join(', ') || fallback;
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(escapeCell).join(' | ')} |`;
  return `${[line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')}\n`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
