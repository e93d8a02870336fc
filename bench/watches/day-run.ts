import { setTimeout as sleep } from 'node:timers/promises';
import { sum } from '../../warehouse/ground/numbers.ts';
import { countPendingWatches } from '../../warehouse/live/watch-messages.ts';
import { readNotified } from '../../warehouse/live/watches.ts';
import {
  addReceivers,
  beginHarm,
  endHarm,
  findProblems,
  type DayReceiver,
} from './day-receivers.ts';
import {
  changeData,
  expectSteps,
  startMorning,
  timeOf,
  type DayScores,
  type DayWorld,
  type ExpectedStep,
} from './day.ts';
import { startReceiver } from './receiver.ts';

export type DayOptions = {
  watches: number;
  /** Number of watches of an account. */
  perAccount: number;
  /**
   * Starts the workers. Their clock shows the morning of the day. They may send messages to receivers on these hosts.
   * Called once.
   */
  startWorkers: (hosts: string[]) => Promise<void>;
  /** Called after each event. */
  onEvent?: (report: EventReport) => Promise<void>;
  /** Maximum wait for the messages of a step. */
  deadlineMs: number;
};

export type EventReport = {
  name: string;
  /** Messages to all receivers. */
  messages: number;
  /** Number of messages that have to wait, because their receivers misbehave. */
  waiting: number;
  /** Time from the new data until all messages to well-behaved receivers are accepted. */
  acceptedMs: number;
};

export type DayReport = {
  events: EventReport[];
  /** Time from the end of the misbehaviour until all waiting messages were accepted. */
  recoveryMs: number;
  /** Messages that were accepted twice, for example because the answer came too late. */
  repeats: number;
  /** Differences from the expected messages, and redirects that were followed. */
  problems: string[];
};

/**
 * The period in which receivers misbehave, as indices of events. It lasts from the ground stops until the strike, so
 * that several messages wait.
 */
const HARM = { from: 1, until: 3 };
const POLL_MS = 100;

type Day = DayOptions & {
  world: DayWorld;
  receivers: DayReceiver[];
  /** For each flight, the expected result of every step. */
  expected: ExpectedStep[][];
};

/**
 * Runs a day, and checks that each watcher gets each notable change once, in order. Accepted messages with the same id
 * count as one message, because a message may be repeated. `scores` must come from a rehearsal of the day in the same
 * world.
 */
export async function runDay(
  world: DayWorld,
  scores: DayScores,
  options: DayOptions,
): Promise<DayReport> {
  const expected = world.flights.map((_, at) => expectSteps(scores, at));
  const trap = await startReceiver();
  let trapped = 0;
  trap.misbehave = () => {
    trapped += 1;
    return false;
  };
  await startMorning(world);
  const now = timeOf(world, world.events[0]!);
  const receivers = await addReceivers(world, scores, { ...options, now });
  const day: Day = { ...options, world, receivers, expected };
  try {
    await options.startWorkers(receivers.map(({ host }) => host));
    const events: EventReport[] = [];
    let recoveryMs = 0;
    for (const at of world.events.keys()) {
      if (at === HARM.from) await beginHarm(receivers, trap);
      if (at === HARM.until) recoveryMs = await recover(day);
      events.push(await runEvent(day, at));
      await options.onEvent?.(events.at(-1)!);
    }
    const problems = receivers.flatMap((receiver) => findProblems(receiver, expected));
    if (trapped > 0) problems.push('a redirect was followed');
    const repeats = sum(receivers.map(({ accepted, ids }) => accepted.length - ids.size));
    return { events, recoveryMs, repeats, problems };
  } finally {
    await Promise.all([trap, ...receivers].map((receiver) => receiver.vanish()));
  }
}

/**
 * Runs the two steps of an event. First the clock reaches the time of the event, and then the data of the event arrive.
 */
async function runEvent(day: Day, at: number): Promise<EventReport> {
  const { world, receivers, expected } = day;
  const event = world.events[at]!;
  const isHarm = at >= HARM.from && at < HARM.until;
  const [waitingFor, steady] = [
    receivers.filter(({ harm }) => isHarm && harm),
    receivers.filter(({ harm }) => !isHarm || !harm),
  ];
  const count = (some: DayReceiver[], step: number) =>
    sum(
      some
        .flatMap(({ watches }) => [...watches.values()])
        .map((flight) => (expected[flight]![step]!.message ? 1 : 0)),
    );
  const runStep = async (step: number, change: () => Promise<void>) => {
    const due = sum(steady.map(({ ids }) => ids.size)) + count(steady, step);
    const startedAt = performance.now();
    await change();
    await until(
      `${due} messages are accepted`,
      day,
      async () => sum(steady.map(({ ids }) => ids.size)) >= due,
    );
    const ms = performance.now() - startedAt;
    await untilRecorded(day, step);
    return ms;
  };
  await runStep(2 * at, () => world.setClock(timeOf(world, event)));
  const acceptedMs = await runStep(2 * at + 1, () => changeData(world, event));
  const all = [2 * at, 2 * at + 1];
  const messages = sum(all.map((step) => count(receivers, step)));
  if (messages === 0) throw new Error(`the event "${event.name}" changed no score`);
  return {
    name: event.name,
    messages,
    waiting: sum(all.map((step) => count(waitingFor, step))),
    acceptedMs,
  };
}

/**
 * Waits until the service has recorded the scores of a step. The recorded score of a watch is the score that its caller
 * was last notified of. It must equal the score that the caller is expected to know after the step.
 */
async function untilRecorded({ world, receivers, expected, deadlineMs }: Day, step: number) {
  const watches = receivers.flatMap((receiver) => [...receiver.watches]);
  const ids = watches.map(([id]) => id);
  await until('all changes are recorded', { deadlineMs }, async () => {
    const known = await readNotified(world.redis, ids);
    return watches.every(([, flight], at) => {
      const score = expected[flight]![step]!.known;
      return score === undefined || known[at]?.score === score;
    });
  });
}

async function recover(day: Day): Promise<number> {
  const startedAt = performance.now();
  await endHarm(day.receivers);
  const isEmpty = async () => (await countPendingWatches(day.world.redis)) === 0;
  await until('all waiting messages are accepted', day, isEmpty);
  return performance.now() - startedAt;
}

async function until(
  what: string,
  { deadlineMs }: Pick<DayOptions, 'deadlineMs'>,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error(`not within ${deadlineMs / 1_000} s: ${what}`);
    await sleep(POLL_MS);
  }
}
