import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { feedText } from '../../../pipelines/news/feed-text.ts';
import { parseFeed } from '../../../pipelines/news/parse.ts';
import { sharedData } from '../../../bench/stage/shared-data.ts';

const read = async (bytes: string | Uint8Array, contentType?: string) =>
  parseFeed(feedText(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, contentType));

const rss = (inner: string, head = '') =>
  `${head}<rss version="2.0"><channel><title>Wire</title>${inner}</channel></rss>`;

const item = (title: string, link = 'https://news.example/1', more = '') =>
  rss(`<item><title>${title}</title><link>${link}</link>${more}</item>`);

async function outcomes(folder: string): Promise<Record<string, number | string>> {
  const outcomeByFile: Record<string, number | string> = {};
  for (const file of readdirSync(sharedData(folder)).toSorted()) {
    const bytes = readFileSync(sharedData(folder, file));
    outcomeByFile[file] = await read(bytes).then(
      (feed) => feed.items.length,
      (error: Error) => error.message,
    );
  }
  return outcomeByFile;
}

test('every captured real feed is parsed with all its items', async (t) => {
  t.deepEqual(await outcomes('feeds'), {
    'bbc_2024-08.xml': 54,
    'bbc_world_2017-01.xml': 3,
    'cnn_mock0.xml': 29,
    'expansion_mock0.xml': 75,
    'google_alerts_atom.xml': 20,
    'guardian.rss': 55,
    'heise.atom': 15,
    'nytimes_2024-08.xml': 60,
    'reuters_2019-01_0.xml': 20,
    'reuters_2019-01_2.xml': 20,
    'tagesschau.xml': 40,
    'theguardian_mock0.xml': 95,
    'uolNoticias.rss': 15,
  });
});

test('a malformed feed gives its items, or an error with the reason', async (t) => {
  t.deepEqual(await outcomes('feeds_malformed'), {
    'feedparser__aaa_illformed.xml': 'is not a feed: Unclosed root tag',
    'feedparser__always_strip_doctype.xml':
      'declares a document type: <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML',
    'feedparser__koi8r.xml': 0,
    'feedparser__rss_incomplete_cdata.xml': 'is not a feed: Unclosed root tag',
    'feedparser__undeclared_namespace.xml': 0,
    'nodefeedparser__iconv.xml': 10,
    'nodefeedparser__illegally-nested.xml': 10,
    'nodefeedparser__invalid-characters-gzipped.xml': 25,
    'rss-parser__incomplete-fields.atom': 0,
    'rss-parser__unrecognized.rss': 'is not a feed: Feed not recognized as RSS 1 or 2.',
  });
});

test('an item has its title, text, link, date and source', async (t) => {
  const feed = await read(
    item(
      'Snow &amp; ice at &lt;b&gt;Oslo&lt;/b&gt;',
      'https://news.example/oslo?a=1&amp;b=2',
      `<description><![CDATA[<p>Runways <a href="x">shut</a>.</p>]]></description>
       <pubDate>Fri, 20 Nov 2026 08:00:00 +0100</pubDate><source url="https://p.example">The Post</source>`,
    ),
  );
  t.deepEqual(feed, {
    title: 'Wire',
    items: [
      {
        title: 'Snow & ice at Oslo',
        description: 'Runways shut.',
        url: 'https://news.example/oslo?a=1&b=2',
        publishedAt: '2026-11-20T07:00:00.000Z',
        source: 'The Post',
      },
    ],
    unusable: 0,
  });
});

test('markup and escaped markup, scripts included, are removed from a title', async (t) => {
  const titles = [
    '&lt;script&gt;alert(1)&lt;/script&gt;Strike at Gatwick',
    '<![CDATA[<img src=x onerror=alert(1)>Strike at Gatwick]]>',
    '&amp;lt;b&amp;gt;Strike&amp;lt;/b&amp;gt; at Gatwick',
    'Strike\u0007\u202e at&#10;Gatwick',
  ];
  const itemLists = await Promise.all(titles.map(async (title) => (await read(item(title))).items));
  t.deepEqual(
    itemLists.map((items) => items[0]?.title),
    ['Strike at Gatwick', 'Strike at Gatwick', 'Strike at Gatwick', 'Strike at Gatwick'],
  );
});

for (const link of [
  'javascript:alert(1)',
  'data:text/html,hi',
  'file:///etc/passwd',
  'https://user:secret@news.example/',
  '/relative',
  '',
]) {
  test(`an item that links to "${link}" is left out`, async (t) => {
    const feed = await read(item('Strike', link));
    t.deepEqual([feed.items, feed.unusable], [[], 1]);
  });
}

test('an unreadable date is absent, and the item stays', async (t) => {
  const dates = ['Seg, 24 Set 2018 19:42:40 -0300', '', '0000-00-00', 'soon'];
  for (const date of dates) {
    const feed = await read(item('A', 'https://a.example', `<pubDate>${date}</pubDate>`));
    t.deepEqual(feed.items, [{ title: 'A', description: '', url: 'https://a.example/' }]);
  }
});

test('the charset comes from the header, the XML declaration, or is UTF-8', async (t) => {
  const koi8 = Buffer.from([0xec, 0xc5, 0xd4, 0xd1, 0xd4]); // Летят
  const withTitle = (title: Buffer, head = '') => {
    const [before = '', after = ''] = `${head}${item('#')}`.split('#');
    return Buffer.concat([Buffer.from(before), title, Buffer.from(after)]);
  };
  const title = async (bytes: Uint8Array, type?: string) =>
    (await read(bytes, type)).items[0]?.title;
  t.is(await title(withTitle(koi8), 'text/xml; charset=koi8-r'), 'Летят');
  t.is(await title(withTitle(koi8, '<?xml version="1.0" encoding="KOI8-R"?>')), 'Летят');
  const latin = Buffer.from([0x47, 0x72, 0xe8, 0x76, 0x65]);
  t.is(await title(withTitle(latin, '<?xml version="1.0" encoding="iso-8859-1"?>')), 'Grève');
  t.is(await title(withTitle(latin)), 'Grève');
  t.is(await title(withTitle(Buffer.from('Grève'))), 'Grève');
  t.is(await title(gzipSync(withTitle(Buffer.from('Grève')))), 'Grève');
  await t.throwsAsync(async () => read(item('A'), 'text/xml; charset=klingon'), {
    message: 'unknown charset klingon',
  });
});

test('entity declarations, internal or external, are refused before parsing', async (t) => {
  const lol = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`);
  const laughs = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "lol">${lol.join('')}]>`;
  await t.throwsAsync(async () => read(laughs + item('&l9;')), { message: /document type/ });
  const external = '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
  await t.throwsAsync(async () => read(external + item('&x;')), { message: /document type/ });
  const hidden = '<!-- a > b --><?a <rss> ?> <!doctype rss><rss version="2.0"><channel/></rss>';
  await t.throwsAsync(async () => read(hidden), { message: /document type/ });
});

test('text after the first element declares nothing, and quoted document types stay as text', async (t) => {
  const late = '<rss version="2.0"><!DOCTYPE rss [<!ENTITY x "y">]><channel/></rss>';
  await t.throwsAsync(async () => read(late), { message: /^is not a feed/ });
  const page = '<!DOCTYPE html><html><head><!-- [ --></head><body>Strike at Oslo</body></html>';
  for (const quoted of [page, `${page} <!ENTITY x "y">`, `]] > ${page}`]) {
    const feed = await read(
      item('Strike', 'https://news.example/1', `<description><![CDATA[${quoted}]]></description>`),
    );
    t.true(feed.items[0]?.description.includes('Strike at Oslo'), quoted);
  }
});

test('an article about DOCTYPE does not count as a document type', async (t) => {
  const feed = await read(item('<![CDATA[What <!DOCTYPE html> means]]>'));
  t.is(feed.items[0]?.title, 'What means');
});

test('deep nesting, too many bytes and a gzip bomb are refused', async (t) => {
  const deep = rss('<a>'.repeat(100_000) + '</a>'.repeat(100_000));
  await t.throwsAsync(async () => read(deep), { message: 'nests 65 levels deep' });
  const hidden = `${'</a>'.repeat(200_000)}${deep}`;
  await t.throwsAsync(async () => read(hidden), { message: 'nests 65 levels deep' });
  const large = item('A'.repeat(2_000_001));
  await t.throwsAsync(async () => read(large), { message: 'larger than 2000000 bytes' });
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
  await t.throwsAsync(async () => read(bomb), {
    message: /cannot be decompressed, or is too large/,
  });
});
