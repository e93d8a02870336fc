import { connect } from 'node:net';

export type Exchange = {
  /** What came back, a byte for each character. */
  answer: string;
  /** How it ended: the server closed, an answer was whole, or nothing came in time. */
  end: 'closed' | 'answered' | 'timeout';
};

/** How long to wait before telling the server that no more bytes come; what is whole was answered long before. */
const QUIET_MS = 400;
/** No answer after this is a hang. */
const DEADLINE_MS = 5_000;

/** Sends the bytes on a connection of their own and waits for the answer, or for the end of the connection. */
export async function exchange(port: number, bytes: string, patient = false): Promise<Exchange> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const quietMs = patient ? DEADLINE_MS : QUIET_MS;
  return new Promise((resolve) => {
    let answer = '';
    const finish = (end: Exchange['end']) => {
      clearTimeout(quiet);
      clearTimeout(deadline);
      // Without a trace in the kernel, which has only so many ports.
      socket.resetAndDestroy();
      resolve({ answer, end });
    };
    const quiet = setTimeout(() => (isWhole(answer) ? finish('answered') : socket.end()), quietMs);
    const deadline = setTimeout(() => finish('timeout'), 2 * DEADLINE_MS);
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    socket.on('end', () => finish('closed'));
    socket.on('error', () => finish('closed'));
    socket.write(Buffer.from(bytes, 'latin1'));
    // Without an empty line no head is complete: there is nothing to wait for.
    if (!/\n\r?\n/.test(bytes)) socket.end();
  });
}

/** Whether the text ends with an answer that is all there; one without a length ends with the connection. */
function isWhole(answer: string): boolean {
  const head = answer.lastIndexOf('HTTP/1.1 ');
  const body = answer.indexOf('\r\n\r\n', head) + 4;
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(answer.slice(head, body))?.[1];
  return head >= 0 && body > 4 && length !== undefined && answer.length >= body + Number(length);
}
