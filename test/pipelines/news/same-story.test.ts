import test from 'ava';
import { mergeStories } from '../../../pipelines/news/same-story.ts';
import { aNewsItem } from '../../helpers/news-items.ts';

const one = aNewsItem();

test('the same item fetched again is one, with the date it was first seen', (t) => {
  const again = aNewsItem({ publishedAt: '2026-11-20T18:00:00.000Z' });
  t.deepEqual(mergeStories([one], [again]), [one]);
});

test('a story told by two feeds is one, as severe as the worse telling, with the places of both', (t) => {
  const other = aNewsItem({
    id: 'b',
    title: 'Kennedy airport: baggage handlers on strike - The Post',
    source: 'The Post',
    publishedAt: '2026-11-20T15:00:00.000Z',
    severity: 0.9,
    impact: 'high',
    touches: { airports: ['JFK', 'LGA'], carriers: [], countries: [] },
  });
  const merged = { severity: 0.9, impact: 'high' as const, touches: other.touches };
  t.deepEqual(mergeStories([one], [other]), [{ ...one, ...merged }]);
  t.is(mergeStories([], [one, other, one, other]).length, 1);
});

test('other words, another kind of event or a later week are another story', (t) => {
  const others = [
    aNewsItem({ id: 'b', title: 'Pilots of a small airline walk out in Boston' }),
    aNewsItem({ id: 'c', eventType: 'security' }),
    aNewsItem({ id: 'd', publishedAt: '2026-11-24T12:00:00.000Z' }),
  ];
  t.is(mergeStories([one], others).length, 4);
});

test('the same words about another airport, airline or country are another story', (t) => {
  const places = { airports: ['JFK'], carriers: ['BA'], countries: ['US'] };
  const here = aNewsItem({ touches: places });
  const told = (change: Partial<typeof places>) =>
    mergeStories([here], [aNewsItem({ id: 'b', touches: { ...places, ...change } })]).length;
  t.is(told({ airports: ['LGW'] }), 2);
  t.is(told({ carriers: ['FR'] }), 2);
  t.is(told({ countries: ['GB'] }), 2);
  t.is(told({ airports: ['LGW', 'JFK'] }), 1);
  t.is(told({ airports: [] }), 1, 'one that names none may mean the same');
});

test('a story that ended stays ended, until something newer is told of it', (t) => {
  const ended = aNewsItem({ endedAt: '2026-11-20T14:00:00.000Z' });
  t.deepEqual(mergeStories([ended], [one]), [ended]);
  const newer = aNewsItem({ id: 'b', publishedAt: '2026-11-20T15:00:00.000Z' });
  t.deepEqual(mergeStories([ended], [newer]), [newer]);
});
