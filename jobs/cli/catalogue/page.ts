import type { Database } from '../../../warehouse/connect.ts';
import { columnsOf, relationsOf } from '../../../warehouse/build/describe.ts';
import { STORE_TABLES, type StoreTableName } from '../../../warehouse/store/tables.ts';
import { ANSWERS, OTHERS } from './answers.ts';
import { LOADED, readByStore, readsOf, restsOn, type Reads } from './lineage.ts';

const INTRO = `# Catalogue

What is in the warehouse, and which way it came: from a file to a field of an answer. Written by \`npm run docs:catalogue\` from the
SQL itself; [the warehouse](warehouse.md) says how to ask it, [sources](data-sources.md) whose data it is.

`;

const CHAPTERS: readonly (readonly [string, string])[] = [
  ['main', 'Views'],
  ['marts', 'Marts'],
  ['raw', 'Raw'],
  ['reference', 'Reference'],
  ['intermediate', 'Intermediate'],
  ['ops', 'Operations'],
];

/** The page on everything in a database that has its models, views and comments. */
export async function cataloguePage(db: Database): Promise<string> {
  const reads = readsOf();
  const relations = await relationsOf(db);
  const columns = await columnsOf(db);
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
          `${escaped(comment ?? '')}\n`,
          ...wayOf(`${schema}.${name}`, reads),
          table(['column', 'type', ''], rows),
        ].join('\n');
      });
    return `## ${title}\n\n${sections.join('\n')}`;
  });
  return [INTRO, lineageText(reads), ...chapters].join('');
}

function lineageText(reads: Reads): string {
  const files = Object.entries(LOADED).map(([name, { file, by }]) => [
    `\`${file}\``,
    by.map((one) => `\`${one}.sql\``).join(', ') || 'as it is',
    `\`${name}\``,
  ]);
  const tables = (Object.keys(STORE_TABLES) as StoreTableName[]).map((name) => {
    const read = readByStore(name);
    const roots = new Set(read.flatMap((one) => restsOn(one, reads)));
    const raw = [...roots].filter((one) => /^(?:raw|reference)\./.test(one)).toSorted();
    return [
      `\`${name}\``,
      named(read, 'worked out of the others'),
      named(raw, ''),
      named(ANSWERS[name], ''),
    ];
  });
  const others = Object.entries(OTHERS).map(([what, fields]) => [what, named(fields, '')]);
  return `## From a file to an answer

A source is read by its \`warehouse/sql/sources/<form>.sql\`; every row is checked, and what is good goes into files of the lake, a folder
per month, which become tables:

${table(['file of the lake', 'made by, of `warehouse/sql`', 'table'], files)}
Models are built from these, and a publish fills the tables of the score store from the models:

${table(['table of the store', 'filled from', 'which rest on', 'fields of `/api/score`'], tables)}
Other things fields of \`/api/score\` rest on:

${table(['what', 'fields'], others)}
`;
}

function wayOf(name: string, reads: Reads): string[] {
  const from = reads.get(name) ?? [];
  const readers = [...reads].filter(([, read]) => read.includes(name)).map(([reader]) => reader);
  const stores = (Object.keys(STORE_TABLES) as StoreTableName[]).filter((one) =>
    readByStore(one).includes(name),
  );
  const file = LOADED[name]?.file;
  const lines = [
    ...(file === undefined ? [] : [`From \`${file}\` of the lake.`]),
    ...(from.length > 0 ? [`Reads ${named(from, '')}.`] : []),
    ...(readers.length > 0 ? [`Read by ${named(readers, '')}.`] : []),
    ...(stores.length > 0 ? [`In the store: ${named(stores, '')}.`] : []),
  ];
  return lines.length > 0 ? [`${lines.join(' ')}\n`] : [];
}

function named(names: readonly string[], otherwise: string): string {
  const shown = names.map((name) =>
    name === 'the lake' ? name : `\`${name.replace('main.', '')}\``,
  );
  return shown.join(', ') || otherwise;
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  return `${[line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')}\n`;
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
