import type { Exchange } from './exchange.ts';
import type { Shot } from './requests.ts';

type Answer = { status: number; type: string; body: string };

/** Fields of an error body; `error` and `message` are in each. */
const ERROR_FIELDS = new Set(['error', 'message', 'param', 'request_id', 'valid']);

/** What is wrong with an exchange; undefined when nothing is. */
export function problemOf(shot: Shot, { answer, end }: Exchange): string | undefined {
  if (end === 'timeout') return 'the connection hangs';
  const answers = answersIn(answer, shot.isHead).filter(({ status }) => status >= 200);
  if (answers.length === 0) return isSilence(shot.bytes) ? undefined : 'no answer';
  return answers.map((one) => problemOfAnswer(one, shot.isHead)).find(Boolean);
}

/** The statuses of an exchange, in their order. */
export function statusesIn(answer: string): number[] {
  return answersIn(answer, true).map(({ status }) => status);
}

function answersIn(text: string, isHead: boolean): Answer[] {
  const starts = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)];
  return starts.map(({ index, 1: status }, at) => {
    const whole = text.slice(index, starts[at + 1]?.index);
    const split = whole.indexOf('\r\n\r\n');
    const head = split < 0 ? whole : whole.slice(0, split);
    const bytes = split < 0 || isHead ? '' : whole.slice(split + 4);
    const type = /\r\ncontent-type: ([^\r]*)/i.exec(head)?.[1] ?? '';
    return { status: Number(status), type, body: Buffer.from(bytes, 'latin1').toString('utf8') };
  });
}

function problemOfAnswer({ status, type, body }: Answer, isHead: boolean): string | undefined {
  // What is announced and not there yet says so; any other 5xx is ours.
  const isAnnounced = status === 501 && (isHead || body.includes('"error":"not_available"'));
  if (status >= 500 && !isAnnounced) return `status ${status}`;
  if (isHead || status < 400) return undefined;
  if (!type.startsWith('application/json')) return `an error of type "${type}"`;
  return isErrorBody(body) ? undefined : 'the body is not { error, message }';
}

function isErrorBody(body: string): boolean {
  let read: unknown;
  try {
    read = JSON.parse(body);
  } catch {
    return false;
  }
  if (typeof read !== 'object' || read === null) return false;
  const { error, message } = read as Record<string, unknown>;
  const isNamed = typeof error === 'string' && /^[a-z_]+$/.test(error);
  const isSaid = typeof message === 'string' && message.length > 0;
  return isNamed && isSaid && Object.keys(read).every((field) => ERROR_FIELDS.has(field));
}

/** Nothing but the empty lines that may come before a request: there is nothing to answer. */
function isSilence(bytes: string): boolean {
  return /^[\r\n]*$/.test(bytes);
}
