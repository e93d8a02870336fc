import test from 'ava';
import { mayContainKeyFragment, redactPath } from '../../api/redact.ts';
import { generateKey } from '../../warehouse/keyring/format.ts';

test('no fragment of a key remains in a path, with or without prefix, escaped or not', (t) => {
  for (let n = 0; n < 500; n += 1) {
    const key = generateKey('live');
    const tail = key.slice(8);
    for (const piece of [key, tail, tail.slice(6), `x${tail}`, encodeURIComponent(key)]) {
      const path = redactPath(`/api/${piece}/score`);
      t.false(path.includes(tail.slice(6, 22)) || path.includes(tail.slice(-16)), path);
    }
  }
});

test('ordinary paths are logged unchanged', (t) => {
  for (const path of [
    '/api/keys/validate',
    '/explorer/files/main-X4WQ2LOP.js',
    '/API/Score',
    '/api/0b9f8d1c5a534c5e9d0e2f1f8f6f3c11',
  ]) {
    t.is(redactPath(path), path);
  }
});

test('ids in common formats do not count as fragments of a key, but the ends of keys do', (t) => {
  for (const id of [
    '0b9f8d1c-5a53-4c5e-9d0e-2f1f8f6f3c11',
    '4bf92f3577b34da6a3ce929d0e0e4736',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'Root-1-67891233',
    'trace-7',
  ]) {
    t.false(mayContainKeyFragment(id), id);
  }
  for (let n = 0; n < 500; n += 1) t.true(mayContainKeyFragment(generateKey('live').slice(8)));
});
