import test from 'ava';
import { mergeStories } from '../../../pipelines/news/same-story.ts';
import { aNewsItem } from '../../helpers/news-items.ts';

const STRIKE = aNewsItem();

test('an item fetched again is stored once, with its first date', (t) => {
  const refetched = aNewsItem({ publishedAt: '2026-11-20T18:00:00.000Z' });
  t.deepEqual(mergeStories([STRIKE], [refetched]), [STRIKE]);
});

test('a story in two feeds is stored once, with the higher severity and the places of both', (t) => {
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
  t.deepEqual(mergeStories([STRIKE], [other]), [{ ...STRIKE, ...merged }]);
  t.is(mergeStories([], [STRIKE, other, STRIKE, other]).length, 1);
});

test('a story with other words, another type of event or another week is a different story', (t) => {
  const others = [
    aNewsItem({ id: 'b', title: 'Pilots of a small airline walk out in Boston' }),
    aNewsItem({ id: 'c', eventType: 'security' }),
    aNewsItem({ id: 'd', publishedAt: '2026-11-24T12:00:00.000Z' }),
  ];
  t.is(mergeStories([STRIKE], others).length, 4);
});

test('the same words about another airport, airline or country are a different story', (t) => {
  const places = { airports: ['JFK'], carriers: ['BA'], countries: ['US'] };
  const story = aNewsItem({ touches: places });
  const countStories = (change: Partial<typeof places>) =>
    mergeStories([story], [aNewsItem({ id: 'b', touches: { ...places, ...change } })]).length;
  t.is(countStories({ airports: ['LGW'] }), 2);
  t.is(countStories({ carriers: ['FR'] }), 2);
  t.is(countStories({ countries: ['GB'] }), 2);
  t.is(countStories({ airports: ['LGW', 'JFK'] }), 1);
  t.is(countStories({ airports: [] }), 1, 'a report without airports can be about the same story');
});

test('a story that ended stays ended until a newer report', (t) => {
  const ended = aNewsItem({ endedAt: '2026-11-20T14:00:00.000Z' });
  t.deepEqual(mergeStories([ended], [STRIKE]), [ended]);
  const newer = aNewsItem({ id: 'b', publishedAt: '2026-11-20T15:00:00.000Z' });
  t.deepEqual(mergeStories([ended], [newer]), [newer]);
});
