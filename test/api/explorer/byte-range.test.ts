import test from 'ava';
import { byteRange } from '../../../api/explorer/byte-range.ts';

test('a range is a part of the file, and never reaches beyond its end', (t) => {
  t.deepEqual(byteRange('bytes=0-0', 100), { from: 0, until: 1 });
  t.deepEqual(byteRange('bytes=10-', 100), { from: 10, until: 100 });
  t.deepEqual(byteRange('bytes=90-500', 100), { from: 90, until: 100 });
  t.deepEqual(byteRange('bytes=-10', 100), { from: 90, until: 100 });
  t.deepEqual(byteRange('bytes=-500', 100), { from: 0, until: 100 });
});

test('a range outside the file is refused, and other headers mean the whole file', (t) => {
  t.is(byteRange('bytes=100-', 100), 'unsatisfiable');
  t.is(byteRange('bytes=-0', 100), 'unsatisfiable');
  for (const header of ['', 'bytes=-', 'bytes=5-4', 'bytes=0-1,5-6', 'items=0-1', 'bytes=a-b']) {
    t.is(byteRange(header, 100), undefined, header);
  }
});
