import type { Exchange } from './exchange.ts';
import type { Shot } from './requests.ts';

type Answer = { status: number; type: string; body: string };

/** Allowed fields of an error body; `error` and `message` are required. */
const ERROR_FIELDS = new Set([
  ...['error', 'message', 'param', 'request_id', 'valid', 'legs', 'schedule_month'],
]);

/** Returns the problem of an exchange; undefined if there is none. */
export function problemOf(shot: Shot, { answer, end }: Exchange): string | undefined {
  if (end === 'timeout') return 'the connection hangs';
  const answers = parseAnswers(answer, shot.isHead).filter(({ status }) => status >= 200);
  if (answers.length === 0) return isSilence(shot.bytes) ? undefined : 'no answer';
  return answers.map((reply) => problemOfAnswer(reply, shot.isHead)).find(Boolean);
}

/** Returns the statuses of an exchange, in order. */
export function listStatuses(answer: string): number[] {
  return parseAnswers(answer, true).map(({ status }) => status);
}

function parseAnswers(text: string, isHead: boolean): Answer[] {
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
  // Switched-off features answer a documented 501; any other 5xx is a bug.
  const isDocumented501 = status === 501 && (isHead || body.includes('"error":"not_available"'));
  if (status >= 500 && !isDocumented501) return `status ${status}`;
  if (isHead || status < 400) return undefined;
  if (!type.startsWith('application/json')) return `an error of type "${type}"`;
  return isErrorBody(body) ? undefined : 'the body is not { error, message }';
}

function isErrorBody(body: string): boolean {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return false;
  }
  if (typeof parsed !== 'object' || parsed === null) return false;
  const { error, message } = parsed as Record<string, unknown>;
  const hasCode = typeof error === 'string' && /^[a-z_]+$/.test(error);
  const hasMessage = typeof message === 'string' && message.length > 0;
  return hasCode && hasMessage && Object.keys(parsed).every((field) => ERROR_FIELDS.has(field));
}

/** Whether the bytes are only empty lines, which may precede a request and get no answer. */
function isSilence(bytes: string): boolean {
  return /^[\r\n]*$/.test(bytes);
}
