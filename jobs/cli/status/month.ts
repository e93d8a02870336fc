import { STATE_WORDS } from '../../../warehouse/live/month-states.ts';
import { periodText } from '../../../warehouse/ground/period.ts';
import type { Run } from '../../../warehouse/lake/ledger.ts';
import type { MonthManifest } from '../../../warehouse/lake/lake.ts';
import type { Reject } from '../../../warehouse/lake/quarantine.ts';
import { completenessText } from '../completeness-text.ts';
import { count, size, table } from '../tables.ts';
import type { OneMonthStatus } from './months.ts';
import { lastRefusals } from './refusals.ts';
import { moment } from '../../../warehouse/ground/duration.ts';

/** What `make status MONTH=2025-03` shows. With `JSON=1`, the command prints this object. */
export type MonthDetail = OneMonthStatus & {
  sourceSha256?: string;
  form?: string;
  bytes?: number;
  read?: number;
  extractedAt?: string;
  codeVersion?: string;
  /**
   * Rejected rows by reason, most frequent reason first. If a newer file was refused, these are the rejected rows of
   * the refused file instead of the loaded file.
   */
  rejects: [reason: string, rows: number][];
  quarantine?: string;
  samples: Reject[];
  /** Versions that can be restored, newest first. */
  versions: { id: string; source: string; rows: number }[];
};

/** Returns one month with its source, and its rejected rows by reason. */
export function monthDetail(
  status: OneMonthStatus,
  manifest: MonthManifest | undefined,
  runs: Run[],
): Omit<MonthDetail, 'quarantine' | 'samples' | 'versions'> {
  const refused =
    status.refusedFile === undefined
      ? undefined
      : lastRefusals(runs, 'flights', status.provider).get(status.month);
  const rejects = refused?.rejects ?? manifest?.rejects ?? {};
  return {
    ...status,
    ...(manifest && {
      sourceSha256: manifest.source.sha256,
      form: manifest.source.form,
      bytes: manifest.source.bytes,
      read: manifest.rows.read,
      extractedAt: manifest.extractedAt,
      codeVersion: manifest.codeVersion,
    }),
    rejects: Object.entries(rejects).toSorted(([, a], [, b]) => b - a),
  };
}

/** Formats the month for a terminal. */
export function monthText(detail: MonthDetail): string {
  const { state, rejects, quarantine, samples } = detail;
  const lines = [`${periodText(detail)}: ${STATE_WORDS[state]}`, ...yearLines(detail)];
  lines.push(...sourceLines(detail));
  if (detail.refusedFile !== undefined) {
    const unchanged = detail.rows === undefined ? '' : '; the loaded month is unchanged';
    const why = detail.refusedWhy ?? 'more than 1 % of its rows are rejected';
    lines.push(`Refused  ${detail.refusedFile}: ${why}${unchanged}`);
  }
  if (rejects.length > 0) {
    lines.push(
      table(
        ['reason of rejection', 'rows'],
        rejects.map(([reason, rows]) => [reason, count(rows)]),
      ),
    );
  }
  if (quarantine !== undefined) lines.push(`Quarantine ${quarantine}`);
  if (samples.length > 0) {
    lines.push(
      table(
        ['line', 'column', 'value', 'reason'],
        samples.map(({ line, column, value, reason }) => [
          count(line),
          column ?? '',
          value ?? '',
          reason,
        ]),
      ),
    );
  }
  if (detail.versions.length > 0) {
    const versions = detail.versions.map(({ id, source, rows }) => [id, source, count(rows)]);
    lines.push(table(['make restore VERSION=', 'source', 'rows'], versions));
  }
  return `${lines.join('\n')}\n`;
}

/** Explains that the counts of the year replace the counts of this month. */
function yearLines({ inYear, source, provider }: MonthDetail): string[] {
  if (inYear === undefined) return [];
  const year = `The counts of the whole year include this month. To see them: make status PROVIDER=${provider} MONTH=${inYear}`;
  const own = `The month's own file, below, is used again after make drop PROVIDER=${provider} MONTH=${inYear}`;
  return [year, ...(source === undefined ? [] : [own])];
}

function sourceLines(detail: MonthDetail): string[] {
  const { source, form, bytes = 0, read = 0, rows = 0, rejected = 0, extractedAt = '' } = detail;
  if (source === undefined) return [];
  const { sourceSha256 = '', codeVersion = '', completeness } = detail;
  return [
    ...(completeness ? [`Flights  ${completenessText(completeness)}`] : []),
    `Source   ${source} (${form}, ${size(bytes)}, sha256 ${sourceSha256.slice(0, 12)}…)`,
    `Rows     ${count(read)} read, ${count(rows)} loaded, ${count(rejected)} rejected`,
    `Read     ${moment(extractedAt)} by version ${codeVersion}`,
  ];
}
