import test from 'ava';
import { realGazetteer } from '../../../bench/news/judged.ts';
import { matchPlaces } from '../../../pipelines/news/match-places.ts';

const gazetteer = await realGazetteer();
const touched = (text: string) => {
  const { airports, carriers, countries } = matchPlaces(text, gazetteer);
  return [airports, carriers, countries];
};
const none = [[], [], []];

test('an airport is found by its own name, its city, and its code where codes stand', (t) => {
  t.deepEqual(touched('Snow at Gatwick'), [['LGW'], [], []]);
  t.deepEqual(touched("Delays at O'Hare"), [['ORD'], [], []]);
  t.deepEqual(touched('Fog in Wellington'), [['WLG'], [], []]);
  t.deepEqual(touched('Flights from SEA and PDX are late'), [['PDX', 'SEA'], [], []]);
  t.deepEqual(touched('SEA LEVEL AND ICE: AIR IS WARMER'), none);
});

test('a city stands for all its airports, unless one of them is named', (t) => {
  t.deepEqual(touched('Storm hits Milan'), [['BGY', 'LIN', 'MXP'], [], []]);
  t.deepEqual(touched('Storm hits Milan Linate'), [['LIN'], [], []]);
  t.deepEqual(touched('Milan: storm closes Malpensa'), [['MXP'], [], []]);
});

test('names in other languages are the same places', (t) => {
  t.deepEqual(touched('Eisregen in München'), [['MUC'], [], []]);
  t.deepEqual(touched('Neige à Genève'), [['GVA'], [], []]);
  t.deepEqual(touched('Nebbia a Napoli'), [['NAP'], [], []]);
  t.deepEqual(touched('Huelga en Alemania'), [[], [], ['DE']]);
});

test('a country counts while no place in it is named', (t) => {
  t.deepEqual(touched('French controllers strike'), [[], [], ['FR']]);
  t.deepEqual(touched('French controllers strike at Lyon'), [['LYS'], [], []]);
  t.deepEqual(touched('FAA warns US airlines'), [[], [], ['US']]);
  t.deepEqual(touched('They warned us of delays'), none);
});

test('airlines are found by full and short names, and their names hide no place', (t) => {
  t.deepEqual(touched('Air France pilots strike'), [[], ['AF'], []]);
  t.deepEqual(touched('Ryanair crew walk out'), [[], ['FR'], []]);
  t.deepEqual(touched('Delta flights grounded'), [[], ['DL'], []]);
  t.deepEqual(touched('American Airlines outage'), [[], ['AA'], []]);
});

for (const text of [
  'Delta variant spreads',
  'American voters decide',
  'United front in parliament',
  'Nice weather ahead',
  'Opposition to split over budget',
  'Split Decision for the Champion',
  'Mobile networks fail',
  'Reading improves sleep',
  'Orlando Bloom storms out',
  'Paris Hilton lands a show',
  'Charlotte Church cancels tour',
  'Jordan Pickford grounded',
  'Flights of fancy',
]) {
  test(`no place or airline is meant in: ${text}`, (t) => {
    t.deepEqual(touched(text), none);
  });
}

test('names that are also words are places where the words around them say so', (t) => {
  t.deepEqual(touched('Flights to Nice cancelled'), [['NCE'], [], []]);
  t.deepEqual(touched('Fire at Split airport'), [['SPU'], [], []]);
  t.deepEqual(touched('Snow in Orlando'), [['MCO'], [], []]);
  t.deepEqual(touched('Paris flights delayed'), [['CDG', 'ORY'], [], []]);
});
