import { Writable } from 'node:stream';
import { readFile, rm } from 'node:fs/promises';
import test from 'ava';
import { median, report } from '../../bench/report.ts';

test('the median of measurements is one of the measurements', (t) => {
  t.is(median([3, 1, 2]), 2);
  t.is(median([4, 1, 3, 2]), 2);
  t.is(median([]), Number.NaN);
});

test('a report prints which targets were met, and writes the result as JSON', async (t) => {
  let printed = '';
  const out = new Writable({
    write: (chunk, _encoding, done) => {
      printed += String(chunk);
      done();
    },
  });
  const file = await report(
    {
      part: 'report-test',
      subject: 'ten flights',
      rows: [{ task: 'extract', seconds: 1.5 }],
      targets: [
        { name: 'time', measured: 2, atMost: 2, unit: 's' },
        { name: 'memory', measured: 3, atMost: 2, unit: 'MB' },
        { name: 'speed', measured: 2, atLeast: 2, unit: 'x' },
        { name: 'reach', measured: 1, atLeast: 2, unit: 'km' },
      ],
    },
    out,
  );
  t.teardown(() => rm(file));

  t.regex(printed, /report-test: ten flights\n.*task.*seconds/s);
  t.regex(printed, / {2}met: time 2 s, target at most 2 s\n/);
  t.regex(printed, / {2}MISSED: memory 3 MB, target at most 2 MB\n/);
  t.regex(printed, / {2}met: speed 2 x, target at least 2 x\n/);
  t.regex(printed, / {2}MISSED: reach 1 km, target at least 2 km\n/);
  t.like(JSON.parse(await readFile(file, 'utf8')), {
    part: 'report-test',
    rows: [{ task: 'extract', seconds: 1.5 }],
  });
});
