import { FlattenedSign, importJWK } from 'jose';
import { signingKeyAt, type SigningKey } from '../warehouse/live/signing-keys.ts';
import { RequestError } from './errors.ts';

/** Facts that the signature includes besides the body. */
export type SignedFacts = {
  at: Date;
  storeVersion?: string | undefined;
  /** Id of the archived live data. */
  live?: string | undefined;
  /** Version of the model. */
  model?: string | undefined;
  /** Path and parameters of the call, without the key. */
  request?: string | undefined;
};

export type Signatures = {
  /**
   * Returns the signature of a body as a detached JWS (RFC 7515, appendix F): header and signature without the body.
   * Throws a 503 until the keys are loaded.
   */
  sign: (body: string, facts: SignedFacts) => Promise<string>;
  /**
   * Returns the public keys as a JSON Web Key Set, newest first. The set also contains former keys, because past
   * answers need them. Revoked keys are listed separately, so that no verifier accepts them. Throws a 503 until the
   * keys are loaded, because verifiers would cache an empty set.
   */
  jwks: () => { keys: object[]; revoked: { kid: string; revoked_at: string }[] };
};

const ALGORITHM = 'EdDSA';
const UNREAD_MESSAGE = 'The signing keys are not loaded yet. Try again in a few seconds.';

type PrivateKey = Awaited<ReturnType<typeof importJWK>>;

/** Creates the functions that sign answers. `keys` is called for every answer, because operators may rotate keys. */
export function createSignatures(keys: () => readonly SigningKey[]): Signatures {
  const required = <T>(value: T | undefined): T => {
    if (value === undefined) throw new RequestError(503, 'service_unavailable', UNREAD_MESSAGE);
    return value;
  };
  const imported = new Map<string, Promise<PrivateKey>>();
  const importOnce = ({ kid, jwk }: SigningKey): Promise<PrivateKey> => {
    const key = imported.get(kid) ?? importJWK({ ...jwk, kty: 'OKP' }, ALGORITHM);
    imported.set(kid, key);
    return key;
  };
  return {
    sign: async (body, { at, storeVersion, ...others }) => {
      const key = required(signingKeyAt(keys(), at));
      const signed = await new FlattenedSign(Buffer.from(body))
        .setProtectedHeader({
          alg: ALGORITHM,
          kid: key.kid,
          iat: Math.floor(at.getTime() / 1_000),
          ...(storeVersion !== undefined && { store: storeVersion }),
          // `JSON.stringify` leaves out undefined facts.
          ...others,
        })
        .sign(await importOnce(key));
      return `${signed.protected}..${signed.signature}`;
    },
    jwks: () => {
      const all = keys().toReversed();
      const valid = all.filter(({ revokedAt }) => revokedAt === undefined);
      required(valid[0]);
      return {
        keys: valid.map(({ kid, jwk: { crv, x } }) => ({
          ...{ kty: 'OKP', crv, x, kid },
          ...{ alg: ALGORITHM, use: 'sig' },
        })),
        revoked: all.flatMap(({ kid, revokedAt }) =>
          revokedAt === undefined ? [] : [{ kid, revoked_at: revokedAt }],
        ),
      };
    },
  };
}
