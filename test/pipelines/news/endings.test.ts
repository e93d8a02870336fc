import test from 'ava';
import { realGazetteer } from '../../../bench/news/judged.ts';
import { markEnded, type DatedEnding } from '../../../pipelines/news/endings.ts';
import { judgeEnding } from '../../../pipelines/news/judge.ts';
import { aNewsItem } from '../../helpers/news-items.ts';

const gazetteer = await realGazetteer();
const ending = (title: string) => judgeEnding({ title, description: '' }, 2026, gazetteer);

const over = (changes: Partial<DatedEnding> = {}): DatedEnding => ({
  eventType: 'strike',
  publishedAt: '2026-11-20T18:00:00.000Z',
  touches: { airports: ['JFK'], carriers: [], countries: [] },
  ...changes,
});

const isEnded = (by: DatedEnding, story = aNewsItem()) =>
  markEnded([story], [by])[0]?.endedAt === by.publishedAt;

test('what is called off, over or open again is an ending of its event', (t) => {
  t.deepEqual(ending('Strike at Gatwick called off'), {
    eventType: 'strike',
    touches: { airports: ['LGW'], carriers: [], countries: [] },
  });
  t.is(ending('Streik bei der Lufthansa abgesagt')?.eventType, 'strike');
  t.is(ending('FAA lifts ground stop at Newark')?.eventType, 'atc');
  t.is(ending('Oslo airport reopens after snow')?.eventType, 'weather');
});

test('an event that goes on, one long past and one elsewhere are no endings', (t) => {
  t.is(ending('Strike at Gatwick goes on'), undefined);
  t.is(ending('Ten years ago a strike closed Gatwick'), undefined);
  t.is(ending('Teachers call off strike'), undefined);
});

test('a report ends older stories of its type at its places, and no others', (t) => {
  t.true(isEnded(over()));
  t.false(isEnded(over({ eventType: 'weather' })));
  t.false(isEnded(over({ publishedAt: '2026-11-20T11:00:00.000Z' })));
  t.false(isEnded(over({ touches: { airports: ['LAX'], carriers: [], countries: [] } })));
});

test('a report that names countries alone ends what concerns those countries alone', (t) => {
  const us = over({ touches: { airports: [], carriers: [], countries: ['US'] } });
  t.false(isEnded(us));
  t.true(isEnded(us, aNewsItem({ touches: { airports: [], carriers: [], countries: ['US'] } })));
  t.false(isEnded(us, aNewsItem({ touches: { airports: [], carriers: [], countries: ['FR'] } })));
});
