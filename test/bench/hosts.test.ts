import test from 'ava';
import { freeNets } from '../../bench/stage/hosts.ts';

test('networks of hosts are none that the machine is in, whatever the number of the process', (t) => {
  t.deepEqual(freeNets(300, []), { front: '10.130.88', back: '10.130.89' });
  // As a process whose number is 2^14 lower has them.
  const taken = ['127.0.0.1', '10.130.88.254', '10.130.89.254'];
  t.deepEqual(freeNets(300 + 2 ** 14, taken), { front: '10.130.90', back: '10.130.91' });
  t.deepEqual(freeNets(2 ** 14 - 1, ['10.255.255.1']), { front: '10.128.0', back: '10.128.1' });
});
