import { connect } from 'node:net';

export type Exchange = {
  /** The bytes of the answer, one per character. */
  answer: string;
  /** The reason for the end: the server closed, an answer was complete, or the deadline passed. */
  end: 'closed' | 'answered' | 'timeout';
};

/** Time after which we close our side of the connection. Complete requests are answered long before. */
const QUIET_MS = 400;
/** Time after which a missing answer counts as a hang. */
const DEADLINE_MS = 5_000;

/** Sends the bytes on a new connection and waits for the answer or the end of the connection. */
export async function exchange(port: number, bytes: string, isPatient = false): Promise<Exchange> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const quietMs = isPatient ? DEADLINE_MS : QUIET_MS;
  return new Promise((resolve) => {
    let answer = '';
    const finish = (end: Exchange['end']) => {
      clearTimeout(quietTimer);
      clearTimeout(deadlineTimer);
      // Closes with a reset, which leaves no port in the state TIME_WAIT. Otherwise the kernel would run out of ports.
      socket.resetAndDestroy();
      resolve({ answer, end });
    };
    const quietTimer = setTimeout(
      () => (isComplete(answer) ? finish('answered') : socket.end()),
      quietMs,
    );
    const deadlineTimer = setTimeout(() => finish('timeout'), 2 * DEADLINE_MS);
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    socket.on('end', () => finish('closed'));
    socket.on('error', () => finish('closed'));
    socket.write(Buffer.from(bytes, 'latin1'));
    // Without an empty line, the head is incomplete, so no answer will come.
    if (!/\n\r?\n/.test(bytes)) socket.end();
  });
}

/** Whether the text ends with a complete answer; an answer without a length ends when the connection closes. */
function isComplete(answer: string): boolean {
  const head = answer.lastIndexOf('HTTP/1.1 ');
  const body = answer.indexOf('\r\n\r\n', head) + 4;
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(answer.slice(head, body))?.[1];
  return head >= 0 && body > 4 && length !== undefined && answer.length >= body + Number(length);
}
