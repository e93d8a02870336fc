import path from 'node:path';
import test from 'ava';
import { testInference, type BrandHits } from '../../../../jobs/cli/fit/brand-evidence.ts';
import { sum } from '../../../../warehouse/ground/numbers.ts';
import { createWarehouse } from '../../../helpers/warehouse.ts';

const DATA = path.join(import.meta.dirname, '../../../../../shared/data');

test('earlier flights name the brands of late 2019, and the stated confidence is reliable', async (t) => {
  const { hits, confidence } = await testInference(await createWarehouse(t), DATA);
  const groups = new Map(hits.map((group) => [group.flights, group]));
  const all = groups.get('all');
  t.true(all && all.number > 7000 && all.right >= 0.98);
  const partners = groups.get('of operators that fly for others');
  t.true(partners && partners.number > 3000 && partners.right >= 0.95);

  const isReliable = ({ right, stated }: Pick<BrandHits, 'right' | 'stated'>) =>
    Math.abs(right - stated) < 0.05;
  for (const group of hits) t.true(isReliable(group), group.flights);
  // A tenth with few flights depends on chance, so these tenths are checked together.
  const many = confidence.filter((tenth) => tenth.number >= 200);
  const few = confidence.filter((tenth) => tenth.number < 200);
  t.true(many.length > 0 && many.every(isReliable));
  const number = sum(few.map((tenth) => tenth.number));
  t.true(number > 200);
  const mean = (share: 'right' | 'stated') =>
    sum(few.map((tenth) => tenth.number * tenth[share])) / number;
  t.true(isReliable({ right: mean('right'), stated: mean('stated') }));
});
