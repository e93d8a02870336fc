import { addWatches, type FlightToWatch } from './add-watches.ts';
import type { DayScores, DayWorld, ExpectedStep } from './day.ts';
import { startReceiver, type Misbehaviour, type WatchReceiver } from './receiver.ts';

/** A receiver with an account of its own. */
export type DayReceiver = WatchReceiver & {
  /** Undefined if the receiver accepts all messages. */
  harm: Harm | undefined;
  /** Index of the watched flight, by the id of the watch. */
  watches: Map<string, number>;
};

/** The misbehaviour of a receiver for a part of the day. */
type Harm = 'hangs' | 'refuses' | 'redirects' | 'vanishes';

/**
 * Kinds of misbehaviour. Every other account has a receiver that misbehaves. Hanging receivers take the most time, so
 * there are two of them.
 */
const HARMS: (Harm | undefined)[] = [
  ...([undefined, 'hangs', undefined, 'refuses', undefined] as const),
  ...(['redirects', undefined, 'vanishes', undefined, 'hangs'] as const),
];

/**
 * Adds the watches, and starts one receiver for every `perAccount` watches. The watches cover the flights in order.
 * After the last flight, they start again with the first flight. The callers already know the scores of the morning.
 */
export async function addReceivers(
  world: DayWorld,
  { morning }: DayScores,
  { watches, perAccount, now }: { watches: number; perAccount: number; now: Date },
): Promise<DayReceiver[]> {
  const receivers: DayReceiver[] = [];
  for (let from = 0; from < watches; from += perAccount) {
    const count = Math.min(perAccount, watches - from);
    const indices = Array.from({ length: count }, (_, at) => (from + at) % world.flights.length);
    const flights = indices.map((index): FlightToWatch => {
      const { score = 0, label = '' } = morning[index] ?? {};
      return { flight: world.flights[index]!, known: { score, label, at: now.toISOString() } };
    });
    const receiver = await startReceiver();
    const url = `http://${receiver.host}/flights`;
    const ids = await addWatches(world.redis, flights, { url, now });
    receivers.push(
      Object.assign(receiver, {
        harm: HARMS[receivers.length % HARMS.length],
        watches: new Map(ids.map((id, at) => [id, indices[at]!])),
      }),
    );
  }
  return receivers;
}

/** Makes receivers misbehave, each in the way of its `harm`. Redirects lead to the receiver `trap`. */
export async function beginHarm(receivers: DayReceiver[], trap: WatchReceiver): Promise<void> {
  const harms: Record<Exclude<Harm, 'vanishes'>, Misbehaviour> = {
    hangs: () => true,
    refuses: (response) => Boolean(response.writeHead(503).end()),
    redirects: (response) =>
      Boolean(response.writeHead(307, { location: `http://${trap.host}/private` }).end()),
  };
  for (const receiver of receivers) {
    const { harm } = receiver;
    if (harm === 'vanishes') await receiver.vanish();
    else if (harm) receiver.misbehave = harms[harm];
  }
}

/** Lets all receivers accept messages again. */
export async function endHarm(receivers: DayReceiver[]): Promise<void> {
  for (const receiver of receivers) {
    receiver.misbehave = () => false;
    if (receiver.harm === 'vanishes') await receiver.comeBack();
  }
}

/** Returns how the accepted messages differ from the expected messages. Each message must arrive once, in order. */
export function findProblems({ harm, watches, accepted }: DayReceiver, expected: ExpectedStep[][]) {
  const distinct = [...new Map(accepted.map((message) => [message.id, message])).values()];
  const byWatch = Map.groupBy(distinct, ({ watch }) => watch);
  const describe = (messages: { score: number; previousScore: number }[]) =>
    messages.map(({ score, previousScore }) => `${previousScore}-${score}`).join(' ');
  return [...watches].flatMap(([id, flight]) => {
    const due = describe(expected[flight]!.flatMap(({ message = [] }) => message));
    const own = describe(byWatch.get(id) ?? []);
    return own === due ? [] : [`receiver that ${harm ?? 'accepts'}: got ${own}, expected ${due}`];
  });
}
