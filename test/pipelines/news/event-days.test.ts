import test from 'ava';
import type { EventType } from '../../../warehouse/live/news.ts';
import { eventDays } from '../../../pipelines/news/event-days.ts';

/** A Friday. */
const PUBLISHED = new Date('2026-11-20T09:00:00Z');

const days = (title: string, eventType: EventType = 'strike', at = PUBLISHED) => {
  const eventSpan = eventDays(title, eventType, at);
  return (
    eventSpan &&
    (eventSpan.from === eventSpan.until ? eventSpan.from : `${eventSpan.from}/${eventSpan.until}`)
  );
};

test('a date with a month is read in five languages, in the nearest year', (t) => {
  t.is(days('Strike at Heathrow on 24 November'), '2026-11-24');
  t.is(days('Heathrow strike announced for November 24th'), '2026-11-24');
  t.is(days('Streik in Frankfurt am 24. November'), '2026-11-24');
  t.is(days('Grève à Orly le 24 novembre'), '2026-11-24');
  t.is(days('Huelga en Barajas el 24 de noviembre'), '2026-11-24');
  t.is(days('Sciopero a Fiumicino il 24 novembre'), '2026-11-24');
  t.is(days('Sciopero a Fiumicino il 1º gennaio'), '2027-01-01');
  t.is(days('Strike on 3 January at Gatwick'), '2027-01-03');
  t.is(days('Strike on 31 November at Gatwick'), undefined, 'the calendar has no such day');
});

test('two dates are the first and the last day of the event', (t) => {
  t.is(days('Strike at Heathrow on 24 and 25 November'), '2026-11-24/2026-11-25');
  t.is(days('Nov 24-26: Heathrow strike'), '2026-11-24/2026-11-26');
  t.is(days('Streik vom 30. November bis 2. Dezember'), '2026-11-30/2026-12-02');
});

test('for a strike, a day of the month and a weekday mean the next day with this number or name', (t) => {
  t.is(days('Gatwick strike on the 24th'), '2026-11-24');
  t.is(days('Gatwick strike on the 3rd'), '2026-12-03');
  t.is(days('Grève à Orly le 24'), '2026-11-24');
  t.is(days('Gatwick strike on Monday'), '2026-11-23');
  t.is(days('Lufthansa-Streik am Montag'), '2026-11-23');
  t.is(days('Sciopero lunedì a Fiumicino'), '2026-11-23');
  t.is(days('Gatwick strike today'), '2026-11-20');
  t.is(days('Gatwick strike tomorrow'), '2026-11-21');
  t.is(
    days('Gatwick strike on Thursday hit thousands'),
    undefined,
    'it was probably the day before',
  );
  t.is(days('Gatwick strike since Monday'), undefined);
});

test('for other events, only dates that are not over are used', (t) => {
  t.is(days('Heathrow to close on 24 November', 'technical'), '2026-11-24');
  t.is(days('Heathrow closed until 24 November', 'technical'), '2026-11-20/2026-11-24');
  t.is(days('Heathrow closed since 18 November', 'technical'), undefined);
  t.is(days('Heathrow closed on 18 November', 'technical'), undefined);
  t.is(days('Heathrow closed on Monday', 'technical'), undefined);
});

test('numbers that are not dates are ignored', (t) => {
  for (const title of [
    'Strike cancels 24 flights at Heathrow',
    'Boeing 737 strike: 24 jets grounded',
    'Huelga: el 20 de los vuelos',
    'Strike may hit 24 airports',
  ]) {
    t.is(days(title), undefined, title);
  }
});
