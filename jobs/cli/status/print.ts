import {
  MAX_FLIGHT_AGE,
  MAX_LEVEL_AGE,
  type HistoryState,
} from '../../../warehouse/store/history-state.ts';
import { sum } from '../../../warehouse/ground/sum.ts';
import { checksText } from './checks.ts';
import { levelLines } from './levels.ts';
import { count, size, span, table } from '../tables.ts';
import { STATE_WORDS, type MonthState } from '../../../warehouse/live/month-states.ts';
import type { MonthStatus } from './months.ts';
import { ago } from '../../../warehouse/ground/ago.ts';
import { queuesText } from './queues-text.ts';
import { moment, seconds } from './times.ts';
import { servedFromElsewhere, type Verdict } from './verdict.ts';
import type { RedisStatus, RunStatus, Status, StoreStatus } from './types.ts';

const MARKS: Record<MonthState, string> = {
  loaded: '●',
  pending: '○',
  refused: '✗',
  unbacked: '!',
  damaged: '?',
  missing: '·',
};

const HISTORY_STATES: Record<Exclude<HistoryState, 'ok'>, string> = {
  old_flights: `flights are over ${MAX_FLIGHT_AGE} months old: how late they are is of today, routes and hours are not`,
  old_levels: `how late flights are is over ${MAX_LEVEL_AGE} months old: ingest newer flights or the delay-cause table`,
  old: 'flights and how late they are, both are old: back-fill newer months',
};

const MONTH_NAMES = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const ERROR_LENGTH = 60;

/** The status for a person at a terminal. */
export function statusText(status: Status, verdict: Verdict): string {
  const parts = [
    [`Headwind at ${moment(status.at)}`, ...verdictLines(verdict)].join('\n'),
    historyText(status.months),
    levelLines(status.levels).join('\n'),
    [
      storeText(status),
      modelText(status),
      freshnessText(status),
      weatherText(status),
      newsText(status),
      ...airportStatusText(status),
      ...lakeText(status),
      ...diskText(status),
    ].join('\n'),
    checksText(status),
    runsText(status.runs),
    queuesText(status.redis, status.at),
  ];
  return `${parts.join('\n\n')}\n`;
}

function verdictLines({ code, why }: Verdict): string[] {
  if (code === 0) return ['Well'];
  return why.map(
    (text, at) => `${at > 0 ? '       ' : code === 1 ? 'Failing' : 'Stale  '}  ${text}`,
  );
}

function lakeText({ lake }: Status): string[] {
  if (!lake) return [];
  const how =
    lake.problem === undefined ? 'answers' : 'cannot be asked; shown is what is here of it';
  return [`Lake     ${lake.place} ${how}`];
}

function historyText(months: MonthStatus[]): string {
  if (months.length === 0) return 'No months yet: make ingest FILE=path';
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))];
  const rows = years.map((year) => {
    const ofYear = months.filter(({ month }) => month.startsWith(year));
    const marks = MONTH_NAMES.map((_, index) => {
      const found = ofYear.find(({ month }) => Number(month.slice(5)) === index + 1);
      return found ? MARKS[found.state] + (found.refusedFile && found.rows ? '*' : '') : '';
    });
    const flights = ofYear.flatMap((month) => month.flights ?? []);
    return [year, ...marks, flights.length === 0 ? '' : count(sum(flights))];
  });
  const states = Object.keys(MARKS) as MonthState[];
  const legend = states
    .map((state) => ({ state, number: months.filter((one) => one.state === state).length }))
    .filter(({ number }) => number > 0)
    .map(({ state, number }) => `${MARKS[state]} ${number} ${STATE_WORDS[state]}`);
  const later = months.filter(({ refusedFile, rows }) => refusedFile && rows);
  if (later.length > 0) legend.push('* a later file was refused, what was there stays');
  return [table(['year', ...MONTH_NAMES, 'flights'], rows), legend.join('   ')].join('\n');
}

function storeText({ store, redis, at }: Status): string {
  if (store.problem !== undefined) return `Store    cannot be used: ${store.problem}`;
  if (store.version === undefined) {
    const version = servedFromElsewhere({ store, redis });
    if (version === undefined) return 'Store    none yet: make features publish';
    return `Store    none on this machine; the API is told to serve ${version}`;
  }
  const built = store.builtAt === undefined ? '' : `, built ${ago(store.builtAt, at)}`;
  const lines = [
    `Store    ${store.version}${built}, on ${span(store.months)}, ${size(store.bytes ?? 0)}`,
    `         ${servedText(store, redis)}`,
  ];
  const others = store.kept.filter((version) => version !== store.version);
  if (others.length > 0) lines.push(`         also kept: ${others.join(', ')}`);
  return lines.join('\n');
}

function modelText({ model, at, store, redis }: Status): string {
  const { version, next, pinned, behindPin, refused, training } = model;
  const without =
    servedFromElsewhere({ store, redis }) === undefined
      ? 'none yet: scores rest on statistics alone'
      : 'that of the store that is served';
  const lines = [`Model    ${version ?? without}`];
  if (next) {
    const origin = next.origin === 'bundled' ? 'bundled' : 'trained here';
    const known = `${origin}, knows ${span(next.months)}`;
    if (next.version === version) lines[0] += `, ${known}`;
    else lines.push(`         the next publish brings ${next.version}, ${known}`);
  }
  if (pinned !== undefined) {
    const behind = behindPin === undefined ? '' : `; released is ${behindPin}: make model-unpin`;
    lines.push(`         pinned: ${pinned}${behind}`);
  }
  if (refused !== undefined) lines.push(`         not taken: ${refused}`);
  if (training) {
    const how = training.outcome === 'failed' ? 'failed: ' : '';
    lines.push(`         last training ${ago(training.at, at)}: ${how}${training.why}`);
  }
  return lines.join('\n');
}

function servedText(store: StoreStatus, redis: RedisStatus): string {
  if (redis.state === 'away') return 'what the API serves is not known: Redis is away';
  if (redis.storeVersion === undefined) return 'not in Redis: make publish puts it back';
  if (redis.storeVersion === store.version) return 'the API is told to serve it';
  return `the API is told to serve ${redis.storeVersion}`;
}

function freshnessText({ freshness, months, at }: Status): string {
  const { lastMonth, lastLevelMonth, state, load, build, publish, copy } = freshness;
  const when = (iso: string | undefined) => (iso === undefined ? 'never' : ago(iso, at));
  const parts = [
    `last month ${lastMonth ?? 'none'}`,
    `levels to ${lastLevelMonth ?? 'the last month of flights'}`,
    `loaded ${when(load)}`,
    `built ${when(build)}`,
    `published ${when(publish)}`,
    ...(copy === undefined ? [] : [`copied for readers ${ago(copy, at)}`]),
  ];
  const lines = [`Fresh    ${parts.join(' · ')}`];
  const isAllPending = lastMonth === undefined && months.some((one) => one.state === 'pending');
  const pending = 'nothing of the lake is loaded on this machine: make features';
  if (isAllPending) lines.push(`         ${pending}`);
  else if (state !== 'ok') lines.push(`         ${HISTORY_STATES[state]}`);
  return lines.join('\n');
}

function weatherText({ redis, at }: Status): string {
  if (redis.state === 'away') return 'Weather  not known: Redis is away';
  if (redis.forecasts === undefined) return 'Weather  no forecasts yet';
  const { airports, newest, oldest } = redis.forecasts;
  const late = ago(oldest, at) === ago(newest, at) ? '' : `, the oldest ${ago(oldest, at)}`;
  return `Weather  forecasts of ${count(airports)} airports, fetched ${ago(newest, at)}${late}`;
}

function newsText({ redis, at }: Status): string {
  if (redis.state === 'away') return 'News     not known: Redis is away';
  if (redis.news === undefined) return 'News     not fetched yet';
  const { stories, fetchedAt } = redis.news;
  return `News     stories that touch flights: ${count(stories)}, fetched ${ago(fetchedAt, at)}`;
}

/** Nothing where the FAA was never asked. */
function airportStatusText({ redis, at }: Status): string[] {
  if (redis.state === 'away' || redis.airportStatus === undefined) return [];
  const { measures, fetchedAt } = redis.airportStatus;
  return [`FAA      measures in force: ${count(measures)}, fetched ${ago(fetchedAt, at)}`];
}

function diskText({ disk }: Status): string[] {
  if (disk === undefined) return [];
  return [`Disk     ${size(disk.freeBytes)} free of ${size(disk.sizeBytes)}`];
}

function runsText(runs: RunStatus[]): string {
  if (runs.length === 0) return 'No runs yet';
  const number = (value: number | undefined) => (value === undefined ? '' : count(value));
  const head = ['last runs', 'outcome', 'began', 'took', 'rows in', 'out', 'rejected', 'of'];
  const rows = runs.map((run) => [
    run.step,
    run.outcome,
    moment(run.startedAt),
    seconds(run.startedAt, run.finishedAt),
    number(run.rowsIn),
    number(run.rowsOut),
    number(run.rowsRejected),
    shortened(run.error ?? inputText(run)),
  ]);
  return table(head, rows);
}

function inputText({ inputs }: RunStatus): string {
  const [first, ...others] = inputs;
  if (first === undefined) return '';
  return others.length === 0 ? first.name : `${first.name} and ${others.length} more`;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > ERROR_LENGTH ? `${line.slice(0, ERROR_LENGTH - 1)}…` : line;
}
