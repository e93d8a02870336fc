import test from 'ava';
import { backtestPage } from '../../../jobs/cli/backtest-page/page.ts';
import { USUAL_FLIGHTS, LATE_FLIGHTS, measureOutcomes } from '../../helpers/scored-outcomes.ts';

const RESULT = {
  files: ['a<b>.csv'],
  delayBasis: 'arrival' as const,
  cut: '2018-08-01',
  origins: ['2018-08-01'],
  baseRate: 0.25,
  trainedOn: ['2018-06', '2018-07'],
  testedOn: ['2018-08'],
  unscored: 0,
  ...measureOutcomes([USUAL_FLIGHTS, LATE_FLIGHTS]),
};

test('the page loads nothing from other addresses, and the same figures give the same bytes', (t) => {
  const page = backtestPage(RESULT);
  t.notRegex(page, /<script|<link|<img|<iframe|@import|url\(|\ssrc=|\shref="(?!#)/);
  const addresses = [...page.matchAll(/https?:[^"\s<]*/g)].map(([address]) => address);
  t.deepEqual(
    addresses.filter((address) => !address.startsWith('http://www.w3.org/')),
    [],
  );
  t.is(backtestPage(RESULT), page);
});

test('the page has a title, a language, headings in order, and a description of every picture', (t) => {
  const page = backtestPage(RESULT);
  t.regex(page, /^<!doctype html>\n<html lang="en">/);
  t.regex(page, /<title>Backtest of a&#60;b&#62;\.csv from 2018-08-01<\/title>/);
  const levels = [...page.matchAll(/<h(\d)/g)].map(([, level]) => level);
  t.deepEqual(levels, ['1', '2', '2', '2', '2', '2', '2', '2']);
  const pictures = [...page.matchAll(/<svg ([^>]*)>/g)].map(([, attributes]) => attributes ?? '');
  t.is(pictures.length, 8);
  for (const attributes of pictures) {
    t.regex(attributes, /^role="img" aria-label="Requests with(out)? the hour\. [^"]{40,}"/);
  }
});

test('the tables and pictures show the measured figures', (t) => {
  const page = backtestPage(RESULT);
  t.regex(page, /<caption>Payout per flight, 60:100,120:250,cancelled:400/);
  const linear = '<th scope="row">statistics only</th><td>with the hour</td><td>20</td>';
  t.true(page.includes(`${linear}<td>0.656</td><td>0.4821</td><td>0.1550</td><td>+0.046</td>`));
  t.regex(page, /<th scope="row">DL<\/th><td>10<\/td><td>30\.0 %<\/td><td>40\.0 %<\/td>/);
  t.regex(
    page,
    /aria-label="Requests with the hour\. Bar chart\. Low: 10\.0 % of 10 \(45\.5 % of all\); Moderate: 41\.7 % of 12 \(54\.5 % of all\);/,
  );
  t.regex(
    page,
    /A flight is delayed if it arrives more than 30 minutes late: <strong>25\.0 %<\/strong>/,
  );
});

test('the page names departures as the basis of the delays, and the number of flights without a forecast', (t) => {
  const page = backtestPage({ ...RESULT, delayBasis: 'departure', unscored: 1234 });
  t.regex(page, /departs more than 30 minutes late \(the files have no arrivals\)/);
  t.regex(page, /1,234 more flights have no forecast: the service does not know their airports\./);
});
