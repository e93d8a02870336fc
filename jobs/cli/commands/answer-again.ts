import { readFile } from 'node:fs/promises';
import { flattenedVerify, importJWK } from 'jose';
import { pino } from 'pino';
import { answerAgain, NotRepeatableError } from '../../../api/server/answer-again.ts';
import { answerCodeVersion } from '../../../api/server/answer-code.ts';
import { RequestError } from '../../../api/errors.ts';
import {
  liveArchiveDir,
  readStates,
  type ArchivedState,
} from '../../../warehouse/live/live-archive.ts';
import { readSigningKeys, type SigningKey } from '../../../warehouse/live/signing-keys.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { CommandError } from '../../errors.ts';
import type { CommandContext } from '../context.ts';
import { moment } from '../../../warehouse/ground/duration.ts';
import { readSignedAnswer, readSignatureHeader, type SignatureFacts } from '../signed-answer.ts';
import { withSigningKeys } from './signing-keys.ts';

/** The options with which an operator identifies an answer. */
export type AnswerRequest = {
  /** Store version. Required if no signed answer is given. */
  store?: string;
  /** A query such as `origin=JFK&…` for `/api/score`; for another endpoint, its path and query. */
  query?: string;
  /** Time of the answer (ISO). If absent, the current time. */
  at?: string;
  /** A saved body, or the output of `curl -i`. */
  file?: string;
  /** The header `X-Signature` of the saved body. */
  signature?: string;
};

/** Folders of the archived stores and live data. */
type Places = { storeDir: string; liveDir: string };

const KEPT =
  'KEEP_NEWEST, KEEP_DAILY and KEEP_WEEKLY decide how long a store is kept; make stores lists the stores. Live data are kept as long as stores of the same day.';

/**
 * Computes an answer again from the archived store and live data, and prints the body. If a saved answer is given,
 * compares every byte with it. Returns 1 if a byte differs.
 */
export async function repeatAnswer(
  context: CommandContext,
  request: AnswerRequest,
): Promise<number> {
  const { dataDir } = context.config;
  const places = { storeDir: dataPaths(dataDir).storeDir, liveDir: liveArchiveDir(dataDir) };
  try {
    const { file } = request;
    if (file === undefined) return await printAnswer(context, places, request);
    return await compareSaved(context, places, file, request);
  } catch (error) {
    if (error instanceof NotRepeatableError) throw new CommandError(`${error.message} ${KEPT}`);
    if (error instanceof RequestError) {
      throw new CommandError(`The call was refused: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

async function printAnswer(
  { out, err, now }: CommandContext,
  places: Places,
  { store, query, at: time }: AnswerRequest,
): Promise<number> {
  if (store === undefined || query === undefined) {
    throw new CommandError(
      'Say which answer to compute again: STORE= and QUERY=, or FILE=. To list the stores: make stores',
    );
  }
  const at = time === undefined ? now() : new Date(time);
  if (Number.isNaN(at.getTime())) throw new CommandError(`AT "${time}" is not a time.`);
  const states = await readStates(places.liveDir);
  const live = states.findLast((state) => state.store === store && Date.parse(state.at) <= +at);
  if (live) err.write(`${await basisText(live)}\n`);
  else err.write(`No live data are archived for ${store} at ${moment(at.toISOString())}.\n`);
  const body = await answerAgain(
    { request: requestOf(query), at, store, live },
    { ...places, log: LOG },
  );
  out.write(`${body}\n`);
  return 0;
}

async function compareSaved(
  context: CommandContext,
  places: Places,
  file: string,
  { signature, query }: AnswerRequest,
): Promise<number> {
  const saved = readSignedAnswer(await readFile(file), signature);
  const facts = readSignatureHeader(saved.signature);
  const key = await verifySaved(context, saved, facts);
  const end = key.revokedAt === undefined ? '' : `, a key revoked ${moment(key.revokedAt)}`;
  context.out.write(
    `The signature is valid: ${facts.kid}${end}, ${moment(facts.at.toISOString())}\n`,
  );
  const request = query === undefined ? facts.request : requestOf(query);
  if (request === undefined) {
    throw new CommandError(
      'The request cannot be read from the signature. Add QUERY="origin=…&…".',
    );
  }
  if (facts.store === undefined) throw new NotRepeatableError('The answer names no store.');
  const live = await findState(places, facts);
  context.out.write(`${await basisText(live)}\n`);
  const { at, store, model = null } = facts;
  const body = await answerAgain({ request, at, store, live, model }, { ...places, log: LOG });
  return report(context, body, saved.body.toString());
}

function report({ out }: CommandContext, body: string, saved: string): number {
  if (body === saved) {
    out.write(
      `Computed again: all ${Buffer.byteLength(body)} bytes are the same as in the saved answer.\n`,
    );
    return 0;
  }
  let at = 0;
  while (body[at] === saved[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 40), at + 40);
  out.write(`The first difference between the bodies is at character ${at}.\n`);
  out.write(`saved     …${around(saved)}…\ncomputed  …${around(body)}…\n`);
  return 1;
}

/**
 * Verifies the signature with the keys of this service. Revoked keys are accepted, because the body is compared too.
 */
async function verifySaved(
  context: CommandContext,
  { body, signature }: { body: Buffer; signature: string },
  { kid }: SignatureFacts,
): Promise<SigningKey> {
  const keys = await withSigningKeys(context, readSigningKeys);
  const key = keys.find((one) => one.kid === kid);
  if (!key) throw new CommandError(`This service has no key ${kid}, so it did not sign this body.`);
  const [header = '', , tail = ''] = signature.split('.');
  const { crv, x } = key.jwk;
  const publicKey = await importJWK({ kty: 'OKP', crv: crv ?? '', x: x ?? '' }, 'EdDSA');
  const jws = { protected: header, payload: body.toString('base64url'), signature: tail };
  await flattenedVerify(jws, publicKey).catch((cause: unknown) => {
    throw new CommandError('The signature does not match this body.', { cause });
  });
  return key;
}

async function findState(
  { liveDir }: Places,
  { live: id }: SignatureFacts,
): Promise<ArchivedState> {
  if (id === undefined) {
    throw new NotRepeatableError(
      'The live data of this answer were not archived, so it cannot be computed again.',
    );
  }
  const live = (await readStates(liveDir)).find((state) => state.id === id);
  if (live) return live;
  throw new NotRepeatableError(`The live data ${id} are gone, or are on another machine.`);
}

async function basisText({ id, store, at, code }: ArchivedState): Promise<string> {
  const current = await answerCodeVersion();
  const text = `Store ${store}, live data ${id}, in use from ${moment(at)}`;
  return code === current
    ? text
    : `${text}; computed by code ${code}, but the code here is ${current}`;
}

function requestOf(query: string): string {
  return query.startsWith('/') ? query : `/api/score?${query}`;
}

const LOG = pino({ level: 'silent' });
