import {
  MAX_FLIGHT_AGE,
  MAX_LEVEL_AGE,
  MAX_PUBLISHED_AGE,
  type HistoryState,
} from '../../../warehouse/store/history-state.ts';
import { sum } from '../../../warehouse/ground/numbers.ts';
import { checksText } from './checks.ts';
import { levelLines } from './levels.ts';
import { airportStatusText, newsText, watchText, weatherText } from './live-text.ts';
import { count, size, span, table } from '../tables.ts';
import { STATE_WORDS, type MonthState } from '../../../warehouse/live/month-states.ts';
import type { MonthStatus } from './months.ts';
import { formatAge, moment, seconds } from '../../../warehouse/ground/duration.ts';
import { providerLines } from './providers.ts';
import { queuesText } from './queues-text.ts';
import { servedFromElsewhere } from './served.ts';
import type { Verdict } from './verdict.ts';
import type { RedisStatus, RunStatus, Status, StoreStatus } from './types.ts';

const MARKS: Record<MonthState, string> = {
  loaded: '●',
  pending: '○',
  refused: '✗',
  unbacked: '!',
  damaged: '?',
  missing: '·',
};

/** Marks of months that are not whole. */
const KIND_MARKS = { whole: '', partial: 'p', sample: 's' } as const;

const HISTORY_STATES: Record<Exclude<HistoryState, 'ok'>, string> = {
  behind: `flights are more than ${MAX_PUBLISHED_AGE} months old; BTS has published newer months`,
  old_flights: `flights are more than ${MAX_FLIGHT_AGE} months old, so routes and hours may have changed; delay levels are current`,
  old_levels: `delay levels are more than ${MAX_LEVEL_AGE} months old: load newer flights or the delay-cause table`,
  old: 'flights and delay levels are old: load newer months with make backfill',
};

const MONTH_NAMES = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const ERROR_LENGTH = 60;
const INBOX_SHOWN = 3;

/** Formats the status for a terminal. */
export function statusText(status: Status, verdict: Verdict): string {
  const parts = [
    [`Headwind at ${moment(status.at)}`, ...verdictLines(verdict)].join('\n'),
    historyText(status.months),
    [...levelLines(status.levels), ...providerLines(status.providers ?? [])].join('\n'),
    [
      storeText(status),
      modelText(status),
      freshnessText(status),
      weatherText(status),
      newsText(status),
      ...airportStatusText(status),
      ...watchText(status),
      ...inboxText(status),
      ...lakeText(status),
      ...diskText(status),
    ].join('\n'),
    checksText(status),
    runsText(status.runs),
    queuesText(status.redis, status.at),
  ];
  return `${parts.join('\n\n')}\n`;
}

function verdictLines({ problems }: Verdict): string[] {
  if (problems.length === 0) return ['Well'];
  return problems.map(
    ({ state, text }) => `${state === 'failing' ? 'Failing ' : 'Degraded'}  ${text}`,
  );
}

function lakeText({ lake }: Status): string[] {
  if (!lake) return [];
  const state =
    lake.problem === undefined ? 'answers' : 'is unavailable; this shows the local copy';
  return [`Lake     ${lake.place} ${state}`];
}

function historyText(months: MonthStatus[]): string {
  if (months.length === 0) return 'No months yet: make run or make ingest FILE=path loads months';
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))];
  const rows = years.map((year) => {
    const ofYear = months.filter(({ month }) => month.startsWith(year));
    const marks = MONTH_NAMES.map((_, index) => {
      const status = ofYear.find(({ month }) => Number(month.slice(5)) === index + 1);
      return status ? markOf(status) : '';
    });
    const flights = ofYear.flatMap((month) => month.flights ?? []);
    return [year, ...marks, flights.length === 0 ? '' : count(sum(flights))];
  });
  const states = Object.keys(MARKS) as MonthState[];
  const legend = states
    .map((state) => ({ state, number: months.filter((month) => month.state === state).length }))
    .filter(({ number }) => number > 0)
    .map(({ state, number }) => `${MARKS[state]} ${number} ${STATE_WORDS[state]}`);
  for (const kind of ['partial', 'sample'] as const) {
    const number = months.filter(({ completeness }) => completeness?.kind === kind).length;
    if (number > 0) legend.push(`${KIND_MARKS[kind]} ${number} ${kind}`);
  }
  const refusedMonths = months.filter(({ refusedFile, rows }) => refusedFile && rows);
  if (refusedMonths.length > 0) legend.push('* a newer file was refused; the month is unchanged');
  return [table(['year', ...MONTH_NAMES, 'flights'], rows), legend.join('   ')].join('\n');
}

function markOf({ state, completeness, refusedFile, rows }: MonthStatus): string {
  const kindMark = completeness === undefined ? '' : KIND_MARKS[completeness.kind];
  return MARKS[state] + kindMark + (refusedFile && rows ? '*' : '');
}

function storeText({ store, redis, at }: Status): string {
  if (store.problem !== undefined) return `Store    cannot be used: ${store.problem}`;
  if (store.version === undefined) {
    const version = servedFromElsewhere({ store, redis });
    if (version === undefined) return 'Store    none yet: make features publish';
    return `Store    none on this machine; the API serves ${version}`;
  }
  const built = store.builtAt === undefined ? '' : `, built ${formatAge(store.builtAt, at)}`;
  const lines = [
    `Store    ${store.version}${built}, from ${span(store.months)}, ${size(store.bytes ?? 0)}`,
    `         ${servedText(store, redis)}`,
  ];
  const olderVersions = store.kept.filter((version) => version !== store.version);
  if (olderVersions.length > 0) lines.push(`         older versions: ${olderVersions.join(', ')}`);
  return lines.join('\n');
}

const ORIGINS = { bundled: 'bundled', released: 'trained here', imported: 'imported' } as const;

function modelText({ model, at, store, redis }: Status): string {
  const { version, next, pinned, behindPin, refused, training } = model;
  const noVersion =
    servedFromElsewhere({ store, redis }) === undefined
      ? 'none yet; scores come from statistics only'
      : 'unknown on this machine; the API uses the model of its store';
  const lines = [`Model    ${version ?? noVersion}`];
  if (next) {
    const training = `${ORIGINS[next.origin]}, trained on ${span(next.months)}`;
    if (next.version === version) lines[0] += `, ${training}`;
    else lines.push(`         the next publish uses ${next.version}, ${training}`);
  }
  if (pinned !== undefined) {
    const released =
      behindPin === undefined ? '' : `; ${behindPin} is released; to use it: make model-unpin`;
    lines.push(`         pinned: ${pinned}${released}`);
  }
  if (refused !== undefined) lines.push(`         refused: ${refused}`);
  if (training) {
    const failure = training.outcome === 'failed' ? 'failed: ' : '';
    lines.push(`         last training ${formatAge(training.at, at)}: ${failure}${training.why}`);
  }
  return lines.join('\n');
}

function servedText(store: StoreStatus, redis: RedisStatus): string {
  if (redis.state === 'away') return 'unknown whether the API serves it, as Redis is unreachable';
  if (redis.storeVersion === undefined) return 'not in Redis, so the API lacks it: make publish';
  if (redis.storeVersion === store.version) return 'the API serves it';
  return `the API serves another version: ${redis.storeVersion}`;
}

function freshnessText({ freshness, months, at }: Status): string {
  const { lastMonth, lastLevelMonth, state, load, build, publish, copy } = freshness;
  const age = (iso: string | undefined) => (iso === undefined ? 'never' : formatAge(iso, at));
  const parts = [
    `last month ${lastMonth ?? 'none'}`,
    `levels to ${lastLevelMonth ?? 'the last month of flights'}`,
    `loaded ${age(load)}`,
    `built ${age(build)}`,
    `published ${age(publish)}`,
    ...(copy === undefined ? [] : [`copied for readers ${formatAge(copy, at)}`]),
  ];
  const lines = [`Fresh    ${parts.join(' · ')}`];
  const isAllPending = lastMonth === undefined && months.some((month) => month.state === 'pending');
  const pending = 'no month of the lake is loaded on this machine: make features';
  if (isAllPending) lines.push(`         ${pending}`);
  else if (state !== 'ok' && lastMonth) lines.push(`         ${HISTORY_STATES[state]}`);
  return lines.join('\n');
}

/** Describes the last files of the inbox. Returns no line if there were none. */
function inboxText({ redis, at }: Status): string[] {
  const files = redis.state === 'away' ? [] : (redis.inbox ?? []).slice(0, INBOX_SHOWN);
  return files.map(({ name, at: movedAt, outcome, why }, index) => {
    const reason = outcome === 'done' ? '' : `: ${shortenLine(why)}`;
    return `${index === 0 ? 'Inbox    ' : '         '}${name} ${outcome} ${formatAge(movedAt, at)}${reason}`;
  });
}

function diskText({ disk }: Status): string[] {
  if (disk === undefined) return [];
  return [`Disk     ${size(disk.freeBytes)} free of ${size(disk.sizeBytes)}`];
}

function runsText(runs: RunStatus[]): string {
  if (runs.length === 0) return 'No runs yet';
  const number = (value: number | undefined) => (value === undefined ? '' : count(value));
  const head = ['last runs', 'outcome', 'started', 'took', 'rows in', 'out', 'rejected', 'input'];
  const rows = runs.map((run) => [
    run.step,
    run.outcome,
    moment(run.startedAt),
    seconds(run.startedAt, run.finishedAt),
    number(run.rowsIn),
    number(run.rowsOut),
    number(run.rowsRejected),
    shortenLine(run.error ?? inputText(run)),
  ]);
  const pages = runs
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ id }) => `/ops/runs/${id}`);
  return [table(head, rows), ...pages.map((page) => `failed: ${page}`)].join('\n');
}

function inputText({ inputs }: RunStatus): string {
  const [first, ...rest] = inputs;
  if (first === undefined) return '';
  return rest.length === 0 ? first.name : `${first.name} and ${rest.length} more`;
}

function shortenLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > ERROR_LENGTH ? `${line.slice(0, ERROR_LENGTH - 1)}…` : line;
}
