import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { SourceFormatError } from '../errors.ts';
import { fileSha256 } from '../ground/hashes.ts';
import { gunzipped } from './gunzipped.ts';

/** Converts the JSON answers of a provider to a table. */
export type JsonTable = {
  /** Columns of the table. No other provider has the same columns. */
  header: readonly string[];
  /** Returns the rows of an answer; undefined if the answer is not from this provider. Throws for an unknown layout. */
  rowsOf: (answer: unknown) => string[][] | undefined;
};

/** Whether a file starts like JSON. No table starts in this way. */
export async function isJson(filePath: string, isGzip: boolean): Promise<boolean> {
  for await (const chunk of gunzipped(filePath, isGzip)) {
    const first = chunk
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trimStart()[0];
    return first === '{' || first === '[';
  }
  return false;
}

/**
 * Writes the rows of a JSON file to the CSV file `target`, and returns the columns and the number of rows. The JSON
 * file has one answer per line, or a single answer over several lines.
 */
export async function jsonToCsv(
  filePath: string,
  { name, isGzip, target }: { name: string; isGzip: boolean; target: string },
  tables: readonly JsonTable[],
) {
  await using out = await open(target, 'w');
  let table: JsonTable | undefined;
  let rowCount = 0;
  const writeAnswer = async (answer: unknown) => {
    for (const candidate of table ? [table] : tables) {
      const rows = candidate.rowsOf(answer);
      if (!rows) continue;
      if (!table) await out.write(toLine(candidate.header));
      table = candidate;
      rowCount += rows.length;
      await out.write(rows.map(toLine).join(''));
      return;
    }
    throw new SourceFormatError(name, 'is JSON in a layout that no known provider uses');
  };
  for await (const answer of answersIn(filePath, name, isGzip)) await writeAnswer(answer);
  return {
    sha256: await fileSha256(filePath),
    header: [...(table?.header ?? [])],
    delimiter: ',' as const,
    prologueLines: 0,
    rowCount,
    blankLines: [],
  };
}

/**
 * Yields the answers of a file: one per line. If the first line is not a complete answer, the whole file is one answer.
 */
async function* answersIn(filePath: string, name: string, isGzip: boolean) {
  const lines = createInterface({ input: Readable.from(gunzipped(filePath, isGzip)) });
  const first: string[] = [];
  let lineNumber = 0;
  for await (const text of lines) {
    lineNumber++;
    const line = lineNumber === 1 ? text.replace(/^\uFEFF/, '') : text;
    const answer = first.length > 0 ? undefined : tryParse(line);
    if (answer !== undefined) {
      yield answer;
    } else if (first.length > 0 || lineNumber === 1) {
      first.push(line);
    } else if (line.trim() !== '') {
      throw new SourceFormatError(name, `line ${lineNumber} is not JSON`);
    }
  }
  if (first.length === 0) return;
  const whole = tryParse(first.join('\n'));
  if (whole === undefined) {
    throw new SourceFormatError(name, 'is JSON that is damaged or cut short');
  }
  yield whole;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`;
}
