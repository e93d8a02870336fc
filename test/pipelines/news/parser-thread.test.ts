import test from 'ava';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { openFeedParser } from '../../../pipelines/news/parser-thread.ts';

const feed = (title: string) =>
  Buffer.from(
    `<rss version="2.0"><channel><item><title>${title}</title><link>https://a.example</link></item></channel></rss>`,
  );

const request = (bytes: Uint8Array) => ({ source: 'https://f.example', bytes, contentType: '' });

test('feeds are parsed one after the other in a thread', async (t) => {
  const parser = openFeedParser();
  t.teardown(parser.close);
  const [one, two] = await Promise.all([
    parser.parse(request(feed('One'))),
    parser.parse(request(feed('Two'))),
  ]);
  t.deepEqual([one.items[0]?.title, two.items[0]?.title], ['One', 'Two']);
});

test('input that is not a feed gives an error with its source, and the next feed is parsed', async (t) => {
  const parser = openFeedParser();
  t.teardown(parser.close);
  await t.throwsAsync(parser.parse(request(Buffer.from('<html><body>Sorry</body></html>'))), {
    instanceOf: SourceFormatError,
    message: 'https://f.example: is not a feed: Feed not recognized as RSS 1 or 2.',
  });
  t.is((await parser.parse(request(feed('Next')))).items[0]?.title, 'Next');
});

test('a thread that does not answer in time is terminated, and another one parses the next feed', async (t) => {
  const impatientParser = openFeedParser(1);
  t.teardown(impatientParser.close);
  // No thread starts within a millisecond.
  await t.throwsAsync(impatientParser.parse(request(feed('Slow'))), {
    message: 'https://f.example: not parsed within 0.001 s',
  });
  await t.throwsAsync(impatientParser.parse(request(feed('Slow again'))), {
    message: /not parsed within/,
  });
});
