import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';

/** A key that may have signed a snapshot. */
export type SnapshotKey = { kid: string; jwk: JsonWebKey };

/**
 * Whether the text is a detached JWS (Ed25519) of the manifest, signed by one of the keys. A revoked key counts too,
 * because its signature still shows that no byte has changed.
 */
export function isSignedManifest(
  manifest: Uint8Array,
  jws: string,
  keys: readonly SnapshotKey[],
): boolean {
  const [header = '', payload, signature = ''] = jws.trim().split('.');
  const key = keys.find(({ kid }) => kid === readKeyId(header));
  if (!key || payload !== '') return false;
  const { kty = 'OKP', crv, x } = key.jwk as JsonWebKey & { kty?: string };
  const publicKey = createPublicKey({ key: { kty, crv, x } as JsonWebKey, format: 'jwk' });
  const signed = Buffer.from(`${header}.${Buffer.from(manifest).toString('base64url')}`);
  return verify(undefined, signed, publicKey, Buffer.from(signature, 'base64url'));
}

function readKeyId(header: string): unknown {
  try {
    const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as {
      alg?: unknown;
      kid?: unknown;
    };
    return alg === 'EdDSA' ? kid : undefined;
  } catch {
    return undefined;
  }
}
