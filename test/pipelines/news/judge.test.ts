import test from 'ava';
import { computeFigures } from '../../../bench/news/figures.ts';
import { isInTestSet, readHeadlines } from '../../../bench/news/headlines.ts';
import { classifyHeadlines, loadGazetteer } from '../../../bench/news/classify.ts';
import { judge } from '../../../pipelines/news/judge.ts';

const gazetteer = await loadGazetteer();
const judgeText = (title: string, description = '') =>
  judge({ title, description }, 2026, gazetteer);
const typeOf = (title: string, description = '') => judgeText(title, description)?.eventType;

test('there are at least 400 labelled headlines, a third of them held out, with each class in both parts', (t) => {
  const all = readHeadlines();
  const heldOut = all.filter(isInTestSet);
  t.true(all.length >= 400);
  t.true(heldOut.length > all.length * 0.3 && heldOut.length < all.length * 0.4);
  const classes = ['atc', 'general', 'none', 'security', 'strike', 'technical', 'weather'];
  t.deepEqual([...new Set(heldOut.map(({ label }) => label))].toSorted(), classes);
  t.is(new Set(all.map(({ text }) => text)).size, all.length);
});

test('on the held-out third, macro F1 is at least 0.85 and false alarms are at most 5 %', (t) => {
  const { macroF1, falseAlarmRate } = computeFigures(
    classifyHeadlines(readHeadlines().filter(isInTestSet), gazetteer),
  );
  t.true(macroF1 >= 0.85, `macro F1 is ${macroF1}`);
  t.true(falseAlarmRate <= 0.05, `false alarms are ${falseAlarmRate}`);
});

test('figures match a textbook calculation', (t) => {
  const outcomes = [
    { label: 'strike', predicted: 'strike' },
    { label: 'strike', predicted: 'none' },
    { label: 'none', predicted: 'strike' },
    { label: 'none', predicted: 'none' },
    { label: 'none', predicted: 'none' },
    { label: 'none', predicted: 'none' },
  ];
  t.deepEqual(computeFigures(outcomes), {
    perClass: [
      { label: 'none', count: 4, precision: 0.75, recall: 0.75, f1: 0.75 },
      { label: 'strike', count: 2, precision: 0.5, recall: 0.5, f1: 0.5 },
    ],
    macroF1: 0.625,
    falseAlarmRate: 0.25,
  });
});

test('severity separates closures, cancellations and delays, and feared events count for less', (t) => {
  const pick = (title: string) => {
    const judgement = judgeText(title);
    return [judgement?.eventType, judgement?.severity, judgement?.impact];
  };
  t.deepEqual(pick('Snow closes Oslo airport'), ['weather', 0.9, 'high']);
  t.deepEqual(pick('Snow: flights cancelled in Oslo'), ['weather', 0.7, 'high']);
  t.deepEqual(pick('Snow: planes diverted from Oslo airport'), ['weather', 0.55, 'medium']);
  t.deepEqual(pick('Snow delays flights in Oslo'), ['weather', 0.4, 'low']);
  t.deepEqual(pick('Snow could delay flights in Oslo'), ['weather', 0.32, 'low']);
});

test('a closed airport and a grounded airline are recognised by any name, but not a closed terminal or a few grounded aircraft', (t) => {
  const severity = (title: string) => judgeText(title)?.severity;
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

test('a strike has a high severity whatever its effects; a threatened strike has a lower one', (t) => {
  t.is(judgeText('Passengers face strike at Heathrow on 24 November')?.severity, 0.6);
  t.is(judgeText('Strike could hit Heathrow')?.severity, 0.48);
});

test('a strike counts only when it affects flights', (t) => {
  t.is(typeOf('Airport staff in Lisbon on strike'), 'strike');
  t.is(typeOf('Lisbon metro staff on strike'), undefined);
  t.is(typeOf('Strike at Lisbon airport called off'), undefined);
  t.is(typeOf('Streik am Flughafen Hamburg abgesagt'), undefined);
  t.is(typeOf('Lightning strike kills golfer near airport hotel'), undefined);
  t.is(typeOf('Ten years ago a strike closed Lisbon airport'), undefined);
  t.is(typeOf('The 2019 strike that closed Lisbon airport'), undefined);
});

test('a disruption in the description counts when the title names an event', (t) => {
  t.is(
    typeOf('Blizzard hits Denver', 'Hundreds of flights were cancelled at the airport.'),
    'weather',
  );
  t.is(typeOf('Blizzard hits Denver', 'Schools stay shut.'), undefined);
});
