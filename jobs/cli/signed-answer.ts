import { CommandError } from '../errors.ts';

/** A saved body with its signature. */
export type SavedAnswer = { body: Buffer; signature: string };

/** The fields in the header of a signature. */
export type SignatureFacts = {
  kid: string;
  at: Date;
  store?: string;
  live?: string;
  model?: string;
  request?: string;
};

const HEADERS_END = /\r?\n\r?\n/;
const SIGNATURE = /^x-signature:\s*(\S+)\s*$/im;

/**
 * Reads the output of `curl -i`, or a body with a separate `signature`. Throws a `CommandError` if there is no
 * signature.
 */
export function readSignedAnswer(content: Buffer, signature?: string): SavedAnswer {
  const text = content.toString('latin1');
  if (!text.startsWith('HTTP/')) {
    if (signature !== undefined) return { body: content, signature };
    throw new CommandError(
      'Set SIGNATURE= to the value of the header X-Signature, or save the answer with curl -i.',
    );
  }
  const end = HEADERS_END.exec(text);
  const head = text.slice(0, end?.index);
  const found = signature ?? SIGNATURE.exec(head)?.[1];
  if (found === undefined) throw new CommandError('The saved answer has no header X-Signature.');
  return { body: content.subarray((end?.index ?? 0) + (end?.[0].length ?? 0)), signature: found };
}

/** Reads the header of a signature; throws a `CommandError` if it is unreadable. */
export function readSignatureHeader(signature: string): SignatureFacts {
  try {
    const [header = ''] = signature.split('.');
    const { kid, iat, store, live, model, request } = JSON.parse(
      Buffer.from(header, 'base64url').toString(),
    ) as Record<string, string> & { iat: number };
    return {
      ...{ kid: kid ?? '', at: new Date(iat * 1_000) },
      ...(store !== undefined && { store }),
      ...(live !== undefined && { live }),
      ...(model !== undefined && { model }),
      ...(request !== undefined && { request }),
    };
  } catch (cause) {
    throw new CommandError('The signature is unreadable.', { cause });
  }
}
