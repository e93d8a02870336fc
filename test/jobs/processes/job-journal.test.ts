import test from 'ava';
import {
  courseOf,
  jobFields,
  recordLine,
  recordProgress,
  withJournal,
} from '../../../jobs/processes/job-journal.ts';

const JOB = { queue: 'warehouse', id: 'nightly', attempt: 1, attempts: 4 };
const START = Date.parse('2026-03-10T02:30:00.000Z');
const at = (seconds: number) => START + 1_000 * seconds;
const span = (from: number, until: number) => ({
  startedAt: new Date(at(from)).toISOString(),
  finishedAt: new Date(at(until)).toISOString(),
});
const line = (seconds: number, msg: string, facts: object = {}) =>
  JSON.stringify({ level: 40, time: at(seconds), pid: 1, hostname: 'mill', msg, ...facts });

test('the time before a report belongs to its item; an item with a colon is under way until the next report', async (t) => {
  await withJournal(JOB, async () => {
    recordProgress('waiting: the warehouse is open in x', at(1));
    recordProgress('waiting: the warehouse is open in x', at(3));
    recordProgress('marts/network', at(10));
    recordProgress('marts/months', at(12));
    t.deepEqual(
      courseOf(span(0, 20)).parts?.map(({ name, ms }) => [name, ms]),
      [
        ['waiting', 10_000],
        ['marts/months', 2_000],
        ['after the last report', 8_000],
      ],
    );
  });
});

test('each run of a job has the reports of its own time, and the log lines since the run before it', async (t) => {
  await withJournal(JOB, async () => {
    recordLine(line(0, 'job started'));
    recordProgress('marts/network', at(5));
    recordLine(line(6, 'disk is slow', { host: 'mill', err: { message: 'EIO' } }));
    t.deepEqual(
      courseOf(span(1, 10)).log?.map(({ text }) => text),
      ['job started', 'disk is slow · EIO · host=mill'],
    );
    recordProgress('written', at(25));
    recordLine(line(26, 'store written'));
    t.deepEqual(courseOf(span(20, 30)), {
      job: JOB,
      parts: [
        { name: 'written', startedAt: span(20, 30).startedAt, ms: 5_000 },
        { name: 'after the last report', startedAt: new Date(at(25)).toISOString(), ms: 5_000 },
      ],
      log: [{ at: new Date(at(26)).toISOString(), level: 'warn', text: 'store written' }],
    });
  });
});

test('a run keeps at most 100 log lines of at most 400 characters, and its 60 longest parts', async (t) => {
  await withJournal(JOB, async () => {
    for (let index = 0; index < 150; index++) {
      recordLine(line(1, `line ${index} ${'x'.repeat(500)}`));
      recordProgress(`item ${index}`, at(index));
    }
    const { log, parts } = courseOf(span(0, 400));
    t.is(log?.length, 100);
    t.true(log?.[0]?.text.startsWith('line 50 '));
    t.true(log?.every(({ text }) => text.length <= 401));
    t.is(parts?.length, 60);
    t.is(parts?.at(-1)?.name, 'after the last report');
  });
});

test('jobs that run at the same time have separate journals; outside a job nothing is recorded', async (t) => {
  const run = (id: string) =>
    withJournal({ ...JOB, id }, async () => {
      await Promise.resolve();
      recordLine(line(1, id));
      await Promise.resolve();
      return [jobFields().job, courseOf(span(0, 9)).log?.map(({ text }) => text)];
    });
  t.deepEqual(await Promise.all([run('a'), run('b')]), [
    ['a', ['a']],
    ['b', ['b']],
  ]);
  recordLine(line(1, 'outside'));
  t.deepEqual([jobFields(), courseOf(span(0, 9))], [{}, {}]);
});
