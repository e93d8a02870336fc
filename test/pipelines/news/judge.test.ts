import test from 'ava';
import { figuresOf } from '../../../bench/news/figures.ts';
import { isHeldOut, readHeadlines } from '../../../bench/news/headlines.ts';
import { outcomesOf, realGazetteer } from '../../../bench/news/judged.ts';
import { judge } from '../../../pipelines/news/judge.ts';

const gazetteer = await realGazetteer();
const judged = (title: string, description = '') => judge({ title, description }, 2026, gazetteer);
const typeOf = (title: string, description = '') => judged(title, description)?.eventType;

test('there are at least 400 labelled headlines, a third held out, each class in both parts', (t) => {
  const all = readHeadlines();
  const heldOut = all.filter(isHeldOut);
  t.true(all.length >= 400);
  t.true(heldOut.length > all.length * 0.3 && heldOut.length < all.length * 0.4);
  const classes = ['atc', 'general', 'none', 'security', 'strike', 'technical', 'weather'];
  t.deepEqual([...new Set(heldOut.map(({ label }) => label))].toSorted(), classes);
  t.is(new Set(all.map(({ text }) => text)).size, all.length);
});

test('on the third held out, macro F1 is 0.85 or more and false alarms are 5 % or less', (t) => {
  const { macroF1, falseAlarmRate } = figuresOf(
    outcomesOf(readHeadlines().filter(isHeldOut), gazetteer),
  );
  t.true(macroF1 >= 0.85, `macro F1 is ${macroF1}`);
  t.true(falseAlarmRate <= 0.05, `false alarms are ${falseAlarmRate}`);
});

test('figures are those of the textbook', (t) => {
  const outcomes = [
    { label: 'strike', got: 'strike' },
    { label: 'strike', got: 'none' },
    { label: 'none', got: 'strike' },
    { label: 'none', got: 'none' },
    { label: 'none', got: 'none' },
    { label: 'none', got: 'none' },
  ];
  t.deepEqual(figuresOf(outcomes), {
    perClass: [
      { label: 'none', count: 4, precision: 0.75, recall: 0.75, f1: 0.75 },
      { label: 'strike', count: 2, precision: 0.5, recall: 0.5, f1: 0.5 },
    ],
    macroF1: 0.625,
    falseAlarmRate: 0.25,
  });
});

test('severity tells closed from cancelled from late, and what is only feared counts less', (t) => {
  const pick = (title: string) => {
    const found = judged(title);
    return [found?.eventType, found?.severity, found?.impact];
  };
  t.deepEqual(pick('Snow closes Oslo airport'), ['weather', 0.9, 'high']);
  t.deepEqual(pick('Snow: flights cancelled in Oslo'), ['weather', 0.7, 'high']);
  t.deepEqual(pick('Snow: planes diverted from Oslo airport'), ['weather', 0.55, 'medium']);
  t.deepEqual(pick('Snow delays flights in Oslo'), ['weather', 0.4, 'low']);
  t.deepEqual(pick('Snow could delay flights in Oslo'), ['weather', 0.32, 'low']);
});

test('an airport that is closed and an airline that is grounded are told by any name, and no terminal or few aircraft', (t) => {
  const severity = (title: string) => judged(title)?.severity;
  for (const title of [
    'JFK closed after plane skids off runway',
    'Heathrow shut by substation fire',
    'Fiumicino chiuso per incendio',
    'American Airlines grounds all flights nationwide after IT outage',
  ]) {
    t.is(severity(title), 0.9, title);
  }
  for (const title of [
    'Nationwide IT outage grounds American Airlines',
    'United grounds flights over computer issue',
    'Computer outage: American Airlines halts flights',
  ]) {
    t.is(severity(title), 0.85, title);
  }
  for (const title of [
    'JFK Terminal 4 closed after smoke',
    'Denver airport runway closed for hours',
    'Alaska Airlines grounds 65 Boeing 737 MAX 9 jets',
    'Delta Air Lines cancels 40 flights',
  ]) {
    t.is(severity(title), 0.7, title);
  }
});

test('a strike is no small matter, whatever else is said of it; one that is only threatened counts for less', (t) => {
  t.is(judged('Passengers face strike at Heathrow on 24 November')?.severity, 0.6);
  t.is(judged('Strike could hit Heathrow')?.severity, 0.48);
});

test('a strike counts only where it hits flights', (t) => {
  t.is(typeOf('Airport staff in Lisbon on strike'), 'strike');
  t.is(typeOf('Lisbon metro staff on strike'), undefined);
  t.is(typeOf('Strike at Lisbon airport called off'), undefined);
  t.is(typeOf('Streik am Flughafen Hamburg abgesagt'), undefined);
  t.is(typeOf('Lightning strike kills golfer near airport hotel'), undefined);
  t.is(typeOf('Ten years ago a strike closed Lisbon airport'), undefined);
  t.is(typeOf('The 2019 strike that closed Lisbon airport'), undefined);
});

test('an airport event in a description counts when the title speaks of an event', (t) => {
  t.is(
    typeOf('Blizzard hits Denver', 'Hundreds of flights were cancelled at the airport.'),
    'weather',
  );
  t.is(typeOf('Blizzard hits Denver', 'Schools stay shut.'), undefined);
});
