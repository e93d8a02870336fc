import { spawnSync } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import test from 'ava';
import { createLocalJWKSet, flattenedVerify, type JSONWebKeySet } from 'jose';
import { createSignatures } from '../../api/signatures.ts';
import { generateSigningKey } from '../../warehouse/live/signing-keys.ts';
import { anApi, fakeKeys, NOW, scoreUrl, someDeps, SOME_KEY } from './helpers/app.ts';
import { createApp } from '../../api/app.ts';
import inject from 'light-my-request';
import type { RequestListener } from 'node:http';

/** An API with these keys, as a function from an address to status, headers and exact body. */
function aSigningApi(keys = [generateSigningKey(NOW)]) {
  const signatures = createSignatures(() => keys);
  const clock = { at: NOW };
  const handle = createApp(someDeps({ signatures, now: () => clock.at })).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  return { keys, clock, get: (url: string) => inject(listener, url) };
}

type Get = ReturnType<typeof aSigningApi>['get'];

async function readKeys(get: Get): Promise<JSONWebKeySet> {
  return JSON.parse((await get('/.well-known/jwks.json')).payload) as JSONWebKeySet;
}

function partsOf(signature: string, body: string) {
  const [header = '', middle = '?', tail = ''] = signature.split('.');
  const payload = Buffer.from(body).toString('base64url');
  return { middle, jws: { protected: header, payload, signature: tail } };
}

const SIGNED_URLS = [
  scoreUrl({ signed: 'true', include: 'outlook,interval' }),
  `/api/score/batch?flights=JFK-LAX-AA-2026-03-20&signed=1&api_key=${SOME_KEY}`,
  `/api/calendar?origin=JFK&dest=LAX&airline=AA&month=2026-04&signed=true&api_key=${SOME_KEY}`,
  `/api/airlines?origin=JFK&dest=LAX&signed=true&api_key=${SOME_KEY}`,
  `/api/news?origin=JFK&dest=LAX&signed=true&api_key=${SOME_KEY}`,
];

test('a signed answer verifies from the published keys alone, with its time and store version', async (t) => {
  const { get } = aSigningApi();
  const published = createLocalJWKSet(await readKeys(get));
  for (const url of SIGNED_URLS) {
    const { headers, payload } = await get(url);
    const { middle, jws } = partsOf(String(headers['x-signature']), payload);
    t.is(middle, '', 'the body is detached');
    const { protectedHeader = {} } = await flattenedVerify(jws, published);
    t.is(protectedHeader['iat'], NOW.getTime() / 1_000);
    t.is(protectedHeader['store'], headers['x-store-version']);
    const forged = partsOf(String(headers['x-signature']), payload.replace('JFK', 'EWR'));
    await t.throwsAsync(flattenedVerify(forged.jws, published), undefined, url);
  }
});

test('plain Ed25519 over header and body verifies too, as other languages do it', async (t) => {
  const { get } = aSigningApi();
  const [jwk] = (await readKeys(get)).keys;
  const { headers, payload } = await get(SIGNED_URLS[0] ?? '');
  const { jws } = partsOf(String(headers['x-signature']), payload);
  const signed = Buffer.from(`${jws.protected}.${jws.payload}`);
  const key = createPublicKey({ key: jwk!, format: 'jwk' });
  t.true(verify(null, signed, key, Buffer.from(jws.signature, 'base64url')));
});

test('a new key signs once it was published for ten minutes, and answers signed before still verify', async (t) => {
  const { keys, clock, get } = aSigningApi();
  keys.push(generateSigningKey(NOW));
  const set = await readKeys(get);
  clock.at = new Date(NOW.getTime() + 599_999);
  const before = await get(scoreUrl({ signed: 'true' }));
  clock.at = new Date(NOW.getTime() + 600_000);
  const after = await get(scoreUrl({ signed: 'true' }));
  t.is(set.keys.length, 2);
  const kids = [];
  for (const { headers, payload } of [before, after]) {
    const { jws } = partsOf(String(headers['x-signature']), payload);
    const { protectedHeader } = await flattenedVerify(jws, createLocalJWKSet(set));
    kids.push(protectedHeader?.kid);
  }
  t.deepEqual(
    kids,
    keys.map(({ kid }) => kid),
  );
});

const PYTHON = `
import base64, json, sys
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

def verify(keys, protected, payload, signature):
    kid = json.loads(decode(protected))["kid"]
    (key,) = [key for key in keys if key["kid"] == kid]
    public = Ed25519PublicKey.from_public_bytes(decode(key["x"]))
    public.verify(decode(signature), f"{protected}.{payload}".encode())
    return kid

keys, answers = json.load(sys.stdin)
kids = [verify(keys, *answer) for answer in answers]
for protected, payload, signature in answers:
    try:
        verify(keys, protected, payload[:-1] + ("A" if payload[-1] != "A" else "B"), signature)
        kids.append("forged")
    except InvalidSignature:
        pass
print(json.dumps(kids))
`;

const hasCryptography = spawnSync('python3', ['-c', 'import cryptography']).status === 0;

(hasCryptography ? test : test.skip)(
  "Python's cryptography verifies answers from before and after a rotation, with the keys published after it",
  async (t) => {
    const { keys, clock, get } = aSigningApi();
    const answers: string[][] = [];
    for (const at of [NOW, new Date(NOW.getTime() + 600_000)]) {
      clock.at = at;
      const { headers, payload } = await get(scoreUrl({ signed: 'true' }));
      const { jws } = partsOf(String(headers['x-signature']), payload);
      answers.push([jws.protected, jws.payload, jws.signature]);
      if (keys.length === 1) keys.push(generateSigningKey(NOW));
    }
    const published = await readKeys(get);
    const { stdout, stderr } = spawnSync('python3', ['-c', PYTHON], {
      input: JSON.stringify([published.keys, answers]),
      encoding: 'utf8',
    });
    t.is(stderr, '');
    t.deepEqual(
      JSON.parse(stdout),
      keys.map(({ kid }) => kid),
    );
  },
);

test('a revoked key leaves the published keys, is listed as revoked, and signs no more', async (t) => {
  const [leaked, other] = [generateSigningKey(NOW), generateSigningKey(NOW)];
  const { keys, get } = aSigningApi([leaked, other]);
  const before = await get(scoreUrl({ signed: 'true' }));
  keys[0] = { ...leaked, revokedAt: NOW.toISOString() };
  const set = await readKeys(get);
  t.deepEqual(
    set.keys.map(({ kid }) => kid),
    [other.kid],
  );
  t.deepEqual((set as unknown as { revoked: unknown }).revoked, [
    { kid: leaked.kid, revoked_at: NOW.toISOString() },
  ]);
  const published = createLocalJWKSet(set);
  const { jws } = partsOf(String(before.headers['x-signature']), before.payload);
  await t.throwsAsync(flattenedVerify(jws, published), { code: 'ERR_JWKS_NO_MATCHING_KEY' });
  const after = await get(scoreUrl({ signed: 'true' }));
  const { jws: valid } = partsOf(String(after.headers['x-signature']), after.payload);
  t.is((await flattenedVerify(valid, published)).protectedHeader?.kid, other.kid);
});

test('the key set has no secret, and any site may read it', async (t) => {
  const { get } = aSigningApi();
  const { headers } = await get('/.well-known/jwks.json');
  t.is(headers['access-control-allow-origin'], '*');
  for (const key of (await readKeys(get)).keys) {
    t.deepEqual(Object.keys(key).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  }
});

test('answers are not signed unless requested; before the keys are read, a signed call gets 503 and is free', async (t) => {
  t.is((await anApi()(scoreUrl())).headers['x-signature'], undefined);
  t.is((await anApi()(scoreUrl({ signed: 'perhaps' }))).status, 400);
  const keys = fakeKeys();
  const call = anApi({ keys, signatures: createSignatures(() => []) });
  t.is((await call(scoreUrl({ signed: 'true' }))).status, 503);
  t.is((await call('/.well-known/jwks.json')).status, 503);
  t.is(keys.counted, 0);
});
