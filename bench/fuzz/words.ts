/** Placeholders for the keys of a run, so that the same seed gives the same requests. */
export const KEYS = { good: '<GOOD>', admin: '<ADMIN>', inactive: '<INACTIVE>' } as const;

/** Placeholder for a day that can be scored. It has only letters and underscores, so escaping does not change it. */
export const FUTURE_DAY = 'A_FUTURE_DAY';

/** Valid values of parameters; each parameter gets the values that its schema accepts. */
export const WORDS = [
  ...['JFK', 'LAX', 'ATL', 'ORD', 'SFO', 'jfk', 'LHR', 'XXX', 'QQQ'],
  ...['AA', 'DL', 'B6', 'UA', 'dl', '9E', 'ZZ', '00'],
  ...[FUTURE_DAY, FUTURE_DAY, '2025-07-15', '2024-02-29', '1987-10-01', '9999-12-31', '2025-07'],
  ...['true', 'false', '1', '0', '7', '12', '100', '2025', '10000000'],
  ...['08:30', '23:59', '00:00', 'lineage', 'outlook,interval', 'by_hour', 'blend'],
  ...[`JFK-LAX-DL-${FUTURE_DAY}`, `JFK-LAX-DL-${FUTURE_DAY},LAX-JFK-AA-2025-07-16`],
  ...[`JFK-LAX-DL-${FUTURE_DAY}T08:00-11:10,LAX-JFK-AA-${FUTURE_DAY}T13:00-21:30`],
  ...['NYC', 'separate', '60'],
  ...['CX636', 'dl 0423', 'UA820', `CX636-${FUTURE_DAY}`, `UA820-HKG-${FUTURE_DAY}T08:00`],
  ...[',30', '0,,1440', '45,1441'],
  ...[`CX636-${FUTURE_DAY},cx 500-${FUTURE_DAY}`],
  ...['A shop', 'someone@shop.example', 'Überlandflüge 東京'],
];

/** Values that no parameter accepts, and values that break parsers. */
export const HOSTILE = [
  ...['', ' ', '\0', '\n', '\r\nX-Injected: 1', '\t', '\u007F', '\u2028', '\uFEFF', '\uD800'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '[object Object]', 'undefined'],
  ...[
    'null',
    'NaN',
    'Infinity',
    '-0',
    '1e999',
    '0x10',
    '1_000',
    '٣',
    '９',
    '-1',
    '99999999999999999999',
  ],
  ...[
    '2025-02-30',
    '2025-13-01',
    '0000-00-00',
    '+010000-01-01',
    '2025-7-1',
    '2025-07-15T00:00:00Z',
  ],
  ...[
    "' or 1=1 --",
    '"; drop table flights',
    '$(id)',
    '`id`',
    '${7*7}',
    '{{7*7}}',
    '<script>alert(1)</script>',
  ],
  ...[
    '../../etc/passwd',
    '..%2f..%2f',
    'file:///etc/passwd',
    'http://127.0.0.1:6379/',
    '%',
    '%%',
    '%zz',
    '%ff',
    '%c0%ae',
  ],
  ...[
    'EVAL "x" 0',
    '*1\r\n$8\r\nFLUSHALL\r\n',
    '{a}',
    'hw:keys',
    'ＪＦＫ',
    'JFK\0',
    'ﬀ',
    'ı',
    'ſ',
    'é'.repeat(40),
  ],
  ...['x'.repeat(101), 'x'.repeat(5_000), 'a,'.repeat(2_000), '['.repeat(1_000), '9'.repeat(400)],
];

/** Names of unknown parameters. */
export const UNKNOWN_NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'length', '', 'api_key[]', 'api_key[0]'],
  ...['origin[]', 'origin[__proto__]', 'date.x', 'API_KEY', 'api_key\0', 'x'.repeat(300)],
];
