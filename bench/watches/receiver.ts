import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A message that the receiver accepted. */
export type AcceptedMessage = {
  id: string;
  watch: string;
  score: number;
  previousScore: number;
  /** Time of the accepted attempt, in ms since 1970. */
  at: number;
  /** Time at which the change was found, in ms since 1970. */
  foundAt: number;
};

/** Gives another answer to a message. Returns false if the receiver should accept the message. */
export type Misbehaviour = (response: ServerResponse) => boolean;

/** A receiver of messages. `misbehave` may be replaced while the receiver runs. */
export type WatchReceiver = {
  host: string;
  /** Accepted messages, in the order of their arrival. A repeated message appears again. */
  accepted: AcceptedMessage[];
  /** Ids of the accepted messages. */
  ids: Set<string>;
  misbehave: Misbehaviour;
  /** Closes the port and all connections. */
  vanish: () => Promise<void>;
  /** Listens on the same port again. */
  comeBack: () => Promise<void>;
};

type Message = {
  type: string;
  timestamp: string;
  data: { watch: string; score: number; previous_score: number };
};

/** Starts a receiver on a free port. */
export async function startReceiver(): Promise<WatchReceiver> {
  let server: Server | undefined;
  const receiver: WatchReceiver = {
    ...{ host: '', accepted: [], ids: new Set(), misbehave: () => false },
    vanish: async () => {
      if (!server) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      server = undefined;
      await closed;
    },
    comeBack: async () => {
      server = await listen(Number(receiver.host.split(':')[1] ?? 0));
    },
  };
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    if (receiver.misbehave(response)) return;
    const { timestamp, data } = JSON.parse(body) as Message;
    const id = String(request.headers['webhook-id']);
    receiver.ids.add(id);
    receiver.accepted.push({
      id,
      ...{ watch: data.watch, score: data.score, previousScore: data.previous_score },
      ...{ at: Date.now(), foundAt: Date.parse(timestamp) },
    });
    response.writeHead(204).end();
  };
  const listen = async (port: number) => {
    const next = createServer((request, response) => {
      // Ignores connections that a killed worker broke.
      receive(request, response).catch(() => response.destroy());
    });
    next.listen(port, '127.0.0.1');
    await once(next, 'listening');
    return next;
  };
  server = await listen(0);
  receiver.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}
