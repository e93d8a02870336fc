import test from 'ava';
import { loadGazetteer } from '../../../bench/news/classify.ts';
import { markEnded, type DatedEnding } from '../../../pipelines/news/endings.ts';
import { judgeEnding } from '../../../pipelines/news/judge.ts';
import { aNewsItem } from '../../helpers/news-items.ts';

const gazetteer = await loadGazetteer();
const ending = (title: string) => judgeEnding({ title, description: '' }, 2026, gazetteer);

const anEnding = (changes: Partial<DatedEnding> = {}): DatedEnding => ({
  eventType: 'strike',
  publishedAt: '2026-11-20T18:00:00.000Z',
  touches: { airports: ['JFK'], carriers: [], countries: [] },
  ...changes,
});

const isEnded = (ending: DatedEnding, story = aNewsItem()) =>
  markEnded([story], [ending])[0]?.endedAt === ending.publishedAt;

test('an event that is called off, over or reversed is an ending', (t) => {
  t.deepEqual(ending('Strike at Gatwick called off'), {
    eventType: 'strike',
    touches: { airports: ['LGW'], carriers: [], countries: [] },
  });
  t.is(ending('Streik bei der Lufthansa abgesagt')?.eventType, 'strike');
  t.is(ending('FAA lifts ground stop at Newark')?.eventType, 'atc');
  t.is(ending('Oslo airport reopens after snow')?.eventType, 'weather');
});

test('an event that continues, is long past or does not affect flights is not an ending', (t) => {
  t.is(ending('Strike at Gatwick goes on'), undefined);
  t.is(ending('Ten years ago a strike closed Gatwick'), undefined);
  t.is(ending('Teachers call off strike'), undefined);
});

test('a report ends older stories of its type at its places, and no others', (t) => {
  t.true(isEnded(anEnding()));
  t.false(isEnded(anEnding({ eventType: 'weather' })));
  t.false(isEnded(anEnding({ publishedAt: '2026-11-20T11:00:00.000Z' })));
  t.false(isEnded(anEnding({ touches: { airports: ['LAX'], carriers: [], countries: [] } })));
});

test('a report that names only countries ends only stories that name only those countries', (t) => {
  const us = anEnding({ touches: { airports: [], carriers: [], countries: ['US'] } });
  t.false(isEnded(us));
  t.true(isEnded(us, aNewsItem({ touches: { airports: [], carriers: [], countries: ['US'] } })));
  t.false(isEnded(us, aNewsItem({ touches: { airports: [], carriers: [], countries: ['FR'] } })));
});
