import test from 'ava';
import { loadGazetteer } from '../../../bench/news/classify.ts';
import { matchPlaces } from '../../../pipelines/news/match-places.ts';

const gazetteer = await loadGazetteer();
const placesIn = (text: string) => {
  const { airports, carriers, countries } = matchPlaces(text, gazetteer);
  return [airports, carriers, countries];
};
const NO_PLACES = [[], [], []];

test('an airport is found by its name, its city, and by its code in a place for codes', (t) => {
  t.deepEqual(placesIn('Snow at Gatwick'), [['LGW'], [], []]);
  t.deepEqual(placesIn("Delays at O'Hare"), [['ORD'], [], []]);
  t.deepEqual(placesIn('Fog in Wellington'), [['WLG'], [], []]);
  t.deepEqual(placesIn('Flights from SEA and PDX are late'), [['PDX', 'SEA'], [], []]);
  t.deepEqual(placesIn('SEA LEVEL AND ICE: AIR IS WARMER'), NO_PLACES);
});

test('a city matches all its airports, unless one of them is named', (t) => {
  t.deepEqual(placesIn('Storm hits Milan'), [['BGY', 'LIN', 'MXP'], [], []]);
  t.deepEqual(placesIn('Storm hits Milan Linate'), [['LIN'], [], []]);
  t.deepEqual(placesIn('Milan: storm closes Malpensa'), [['MXP'], [], []]);
});

test('names in other languages match the same places', (t) => {
  t.deepEqual(placesIn('Eisregen in München'), [['MUC'], [], []]);
  t.deepEqual(placesIn('Neige à Genève'), [['GVA'], [], []]);
  t.deepEqual(placesIn('Nebbia a Napoli'), [['NAP'], [], []]);
  t.deepEqual(placesIn('Huelga en Alemania'), [[], [], ['DE']]);
});

test('a country counts only when no place in it is named', (t) => {
  t.deepEqual(placesIn('French controllers strike'), [[], [], ['FR']]);
  t.deepEqual(placesIn('French controllers strike at Lyon'), [['LYS'], [], []]);
  t.deepEqual(placesIn('FAA warns US airlines'), [[], [], ['US']]);
  t.deepEqual(placesIn('They warned us of delays'), NO_PLACES);
});

test('airlines are found by full and short names, and their names match no place', (t) => {
  t.deepEqual(placesIn('Air France pilots strike'), [[], ['AF'], []]);
  t.deepEqual(placesIn('Ryanair crew walk out'), [[], ['FR'], []]);
  t.deepEqual(placesIn('Delta flights grounded'), [[], ['DL'], []]);
  t.deepEqual(placesIn('American Airlines outage'), [[], ['AA'], []]);
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
  test(`no place or airline is found in: ${text}`, (t) => {
    t.deepEqual(placesIn(text), NO_PLACES);
  });
}

test('names that are also words match places when the words around them fit', (t) => {
  t.deepEqual(placesIn('Flights to Nice cancelled'), [['NCE'], [], []]);
  t.deepEqual(placesIn('Fire at Split airport'), [['SPU'], [], []]);
  t.deepEqual(placesIn('Snow in Orlando'), [['MCO'], [], []]);
  t.deepEqual(placesIn('Paris flights delayed'), [['CDG', 'ORY'], [], []]);
});
