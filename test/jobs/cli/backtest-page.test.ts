import test from 'ava';
import { backtestPage } from '../../../jobs/cli/backtest-page/page.ts';
import { CALM, LATE, measured } from '../../helpers/scored.ts';

const RESULT = {
  files: ['a<b>.csv'],
  delayBasis: 'arrival' as const,
  cut: '2018-08-01',
  origins: ['2018-08-01'],
  baseRate: 0.25,
  trainedOn: ['2018-06', '2018-07'],
  testedOn: ['2018-08'],
  unscored: 0,
  ...measured([CALM, LATE]),
};

test('the page needs nothing from anywhere, and the same figures give the same bytes', async (t) => {
  const page = await backtestPage(RESULT);
  t.notRegex(page, /<script|<link|<img|<iframe|@import|url\(|\ssrc=|\shref="(?!#)/);
  const addresses = [...page.matchAll(/https?:[^"\s<]*/g)].map(([address]) => address);
  t.deepEqual(
    addresses.filter((address) => !address.startsWith('http://www.w3.org/')),
    [],
  );
  t.is(await backtestPage(RESULT), page);
});

test('the page has a title, a language, headings in order, and a description of every picture', async (t) => {
  const page = await backtestPage(RESULT);
  t.regex(page, /^<!doctype html>\n<html lang="en">/);
  t.regex(page, /<title>Back-test of a&#60;b&#62;\.csv from 2018-08-01<\/title>/);
  const levels = [...page.matchAll(/<h(\d)/g)].map(([, level]) => level);
  t.deepEqual(levels, ['1', '2', '2', '2', '2', '2', '2']);
  const pictures = [...page.matchAll(/<svg ([^>]*)>/g)].map(([, attributes]) => attributes ?? '');
  t.is(pictures.length, 8);
  for (const attributes of pictures) {
    t.regex(attributes, /^role="img" aria-label="Asked with(out)? the hour\. [^"]{40,}"/);
  }
});

test('the tables say what was measured', async (t) => {
  const page = await backtestPage(RESULT);
  const linear = '<th scope="row">statistics alone</th><td>with the hour</td><td>20</td>';
  t.true(page.includes(`${linear}<td>0.656</td><td>0.4821</td><td>0.1550</td><td>+0.046</td>`));
  t.regex(page, /<th scope="row">DL<\/th><td>10<\/td><td>30\.0 %<\/td><td>40\.0 %<\/td>/);
  t.regex(
    page,
    /aria-label="Asked with the hour\. Bar chart\. Low: 10\.0 % of 10 \(45\.5 % of all\); Moderate: 41\.7 % of 12 \(54\.5 % of all\);/,
  );
  t.regex(page, /Delayed is more than 30 minutes on arrival: <strong>25\.0 %<\/strong>/);
});

test('a page on departures says so, and how many flights could not be scored', async (t) => {
  const page = await backtestPage({ ...RESULT, delayBasis: 'departure', unscored: 1234 });
  t.regex(page, /30 minutes at departure, for the files have no arrivals/);
  t.regex(page, /1,234 more are at airports the service does not know\./);
});
