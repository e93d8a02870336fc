import test from 'ava';
import { freeNets } from '../../bench/stage/hosts.ts';

test('networks of hosts never contain an address of the machine, for any process id', (t) => {
  t.deepEqual(freeNets(300, []), { front: '10.130.88', back: '10.130.89' });
  // A process whose number is lower by 2^14 uses the same networks.
  const usedAddresses = ['127.0.0.1', '10.130.88.254', '10.130.89.254'];
  t.deepEqual(freeNets(300 + 2 ** 14, usedAddresses), { front: '10.130.90', back: '10.130.91' });
  t.deepEqual(freeNets(2 ** 14 - 1, ['10.255.255.1']), { front: '10.128.0', back: '10.128.1' });
});
