import { readFile } from 'node:fs/promises';
import test from 'ava';

import { readAirlines } from '../../../warehouse/reference/airlines.ts';
import { readAirports } from '../../../warehouse/reference/airports.ts';
import { sharedData } from '../../../bench/stage/shared-data.ts';

const airlines = readAirlines();
const byCode = new Map(airlines.map((airline) => [airline.iata, airline]));
const namesOf = (codes: string) => {
  const byCodeOfHistory = new Map(
    readAirlines(codes.split(' ')).map((airline) => [airline.iata, airline]),
  );
  return codes
    .split(' ')
    .map(
      (code) => `${code} ${byCodeOfHistory.get(code)?.name}, ${byCodeOfHistory.get(code)?.country}`,
    );
};

test('airlines are in code order and every two-character code is unique', (t) => {
  const codes = airlines.map(({ iata }) => iata);
  t.deepEqual(codes, [...new Set(codes)].toSorted());
  t.true(codes.every((code) => /^(?=.*[A-Z])[A-Z0-9]{2}$/.test(code)));
});

test('about half of all possible codes belong to an operating airline, and made-up codes do not', (t) => {
  t.true(airlines.length > 550 && airlines.length < 700, `${airlines.length}`);
  const madeUp = ['ZZ', 'XX', 'Q1', 'X1', '1A', '1Z', '77', '7Z', 'QX9', 'A', ''];
  t.deepEqual(
    madeUp.filter((code) => byCode.has(code)),
    [],
  );
});

test('airlines that ceased, carry only freight or run trains are not listed', (t) => {
  const formerCodes =
    '9W AB MT KA ST IG 4U FL US VX CO JE G8 UK VV VH WE 9U OG FX 5X CV 2A 9F 2C 9B';
  t.deepEqual(
    formerCodes.split(' ').filter((code) => byCode.has(code)),
    [],
  );
});

/** Airlines checked one by one: bankrupt, merged, flying under another code, or (W2) never sold under its own code. */
const CEASED_SINCE =
  '3M 4U 7F 9W AB BE FL G8 HG HQ IG KA LI MI MJ O6 OK S2 ST US VX W2 ZI ZK'.split(' ');

test('every airline with fifty routes in 2014 is listed, except airlines that ceased since', async (t) => {
  const text = await readFile(sharedData('reference/openflights_routes.csv'), 'utf8');
  const routes = new Map<string, number>();
  for (const line of text.trim().split('\n').slice(1)) {
    const [code = ''] = line.split(',');
    routes.set(code, (routes.get(code) ?? 0) + 1);
  }
  const large = [...routes].filter(([code, count]) => count >= 50 && /^..$/.test(code));
  const unknown = large.map(([code]) => code).filter((code) => !byCode.has(code));
  t.deepEqual(unknown.toSorted(), CEASED_SINCE);
  t.is(large.length, 219);
});

test('a carrier of the history is always listed, by its code if no source names it', (t) => {
  const withHistory = readAirlines(['AA', 'VX', 'ZZ']);
  t.deepEqual(
    withHistory.filter(({ iata }) => iata === 'VX' || iata === 'AA'),
    [
      { iata: 'AA', name: 'American Airlines', country: 'United States' },
      { iata: 'VX', name: 'Virgin America', country: 'United States' },
    ],
  );
  t.like(
    readAirlines(['0Q']).find(({ iata }) => iata === '0Q'),
    { name: '0Q', country: '' },
  );
  t.is(withHistory.length, airlines.length + 2);
});

test('every airline has a clean name', (t) => {
  const odd = airlines.filter(({ name }) => name === '' || name !== name.trim() || /\\/.test(name));
  t.deepEqual(odd, []);
});

test('airlines and airports write a country the same way', async (t) => {
  const countries = new Set((await readAirports()).map(({ country }) => country));
  const unknown = airlines.filter(({ country }) => country !== '' && !countries.has(country));
  t.deepEqual(unknown, []);
});

test('carriers of the BTS tables have their brand names', (t) => {
  t.deepEqual(namesOf('9E AA AS B6 DL EV F9 G4 HA MQ NK OH OO UA US VX WN YV YX'), [
    '9E Endeavor Air, United States',
    'AA American Airlines, United States',
    'AS Alaska Airlines, United States',
    'B6 JetBlue Airways, United States',
    'DL Delta Air Lines, United States',
    'EV ExpressJet Airlines, United States',
    'F9 Frontier Airlines, United States',
    'G4 Allegiant Air, United States',
    'HA Hawaiian Airlines, United States',
    'MQ Envoy Air, United States',
    'NK Spirit Airlines, United States',
    'OH PSA Airlines, United States',
    'OO SkyWest Airlines, United States',
    'UA United Airlines, United States',
    'US US Airways, United States',
    'VX Virgin America, United States',
    'WN Southwest Airlines, United States',
    'YV Mesa Airlines, United States',
    'YX Republic Airways, United States',
  ]);
});

test('smaller carriers of the United States have their brand names', (t) => {
  t.deepEqual(namesOf('3M 9K AX C5 CP G7 KS MX PT QX SY XP ZW'), [
    '3M Silver Airways, United States',
    '9K Cape Air, United States',
    'AX Trans States Airlines, United States',
    'C5 CommuteAir, United States',
    'CP Compass Airlines, United States',
    'G7 GoJet Airlines, United States',
    'KS Peninsula Airways, United States',
    'MX Breeze Airways, United States',
    'PT Piedmont Airlines, United States',
    'QX Horizon Air, United States',
    'SY Sun Country Airlines, United States',
    'XP Avelo Airlines, United States',
    'ZW Air Wisconsin, United States',
  ]);
});

test('large airlines of the world have their current names and countries', (t) => {
  t.deepEqual(namesOf('AC AF AI AV AY AZ BA CX DE EK ET FR IB JL KE KL LA LH LX MU NH OS'), [
    'AC Air Canada, Canada',
    'AF Air France, France',
    'AI Air India, India',
    'AV Avianca, Colombia',
    'AY Finnair, Finland',
    'AZ ITA Airways, Italy',
    'BA British Airways, United Kingdom',
    'CX Cathay Pacific, Hong Kong',
    'DE Condor, Germany',
    'EK Emirates, United Arab Emirates',
    'ET Ethiopian Airlines, Ethiopia',
    'FR Ryanair, Ireland',
    'IB Iberia, Spain',
    'JL Japan Airlines, Japan',
    'KE Korean Air, South Korea',
    'KL KLM Royal Dutch Airlines, Netherlands',
    'LA LATAM Airlines, Chile',
    'LH Lufthansa, Germany',
    'LX SWISS, Switzerland',
    'MU China Eastern Airlines, China',
    'NH All Nippon Airways, Japan',
    'OS Austrian Airlines, Austria',
  ]);
  t.deepEqual(namesOf('6E EI EY MS OZ QF QR SA SK SQ SV TK TP TR U2 VJ VY W6 WS'), [
    '6E IndiGo, India',
    'EI Aer Lingus, Ireland',
    'EY Etihad Airways, United Arab Emirates',
    'MS EgyptAir, Egypt',
    'OZ Asiana Airlines, South Korea',
    'QF Qantas, Australia',
    'QR Qatar Airways, Qatar',
    'SA South African Airways, South Africa',
    'SK SAS Scandinavian Airlines, Sweden',
    'SQ Singapore Airlines, Singapore',
    'SV Saudia, Saudi Arabia',
    'TK Turkish Airlines, Türkiye',
    'TP TAP Air Portugal, Portugal',
    'TR Scoot, Singapore',
    'U2 easyJet, United Kingdom',
    'VJ VietJet Air, Vietnam',
    'VY Vueling, Spain',
    'W6 Wizz Air, Hungary',
    'WS WestJet, Canada',
  ]);
});

test('an active passenger airline is preferred among airlines with the same code', (t) => {
  t.deepEqual(namesOf('LH SQ JU'), [
    'LH Lufthansa, Germany',
    'SQ Singapore Airlines, Singapore',
    'JU Air Serbia, Serbia',
  ]);
});
