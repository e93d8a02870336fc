import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import names from '../../../pipelines/news/names.json' with { type: 'json' };
import { findPhrases, foldText, languagesOf } from '../../../pipelines/news/phrases.ts';
import { readNamedAirlines } from '../../../warehouse/reference/airlines.ts';
import { readScheduledAirports } from '../../../warehouse/reference/airports.ts';

const FOLDER = new URL('../../../pipelines/news/phrases/', import.meta.url);

type PhraseFile = Record<string, Record<string, string[]>>;

const files = readdirSync(FOLDER).map((name): [string, PhraseFile] => [
  name,
  JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as PhraseFile,
]);

const phrasesIn = (text: string, section: 'strike' | 'veto' | 'disruption') => {
  const foldedText = foldText(text);
  return findPhrases(foldedText, section, languagesOf(foldedText)).map(({ phrase }) => phrase);
};

test('accents, capitals and punctuation do not matter', (t) => {
  t.is(foldText('Grève à l’aéroport d’Orly !'), ' greve a l aeroport d orly ');
  t.is(foldText('Straße'), ' strasse ');
});

test('a star matches the rest of a word, two dots match up to four words', (t) => {
  t.deepEqual(phrasesIn('The walkouts at the airport', 'strike'), ['walkout*']);
  t.deepEqual(phrasesIn('Der Warnstreik am Flughafen', 'strike'), ['*streik*']);
  t.true(phrasesIn('They end the long and bitter strike', 'veto').includes('end .. strike'));
  t.deepEqual(
    phrasesIn('They end it; the long and bitter talks came before the strike', 'veto'),
    [],
  );
});

test('a phrase counts once, even if it occurs several times', (t) => {
  t.deepEqual(phrasesIn('The strike of the strike of all', 'strike'), ['strike']);
});

test('a text is matched in its likely languages', (t) => {
  // "action" means a share in French and an activity in English.
  t.deepEqual(phrasesIn('The action of the crew', 'veto'), []);
  t.deepEqual(phrasesIn("L'action de la compagnie est en hausse", 'veto'), ['action']);
});

test('every phrase can match: plain letters, numeric weights, and the same sections in all files', (t) => {
  const sections = Object.keys(files[0]?.[1] ?? {});
  t.is(files.length, 5);
  for (const [name, file] of files) {
    t.deepEqual(Object.keys(file), sections, name);
    const { words: _, ...weighted } = file;
    for (const byWeight of Object.values(weighted)) {
      for (const [weight, phrases] of Object.entries(byWeight)) {
        t.true(Number(weight) > 0, `${name} ${weight}`);
        t.deepEqual(
          phrases.filter((phrase) => !/^[a-z0-9*]+( (\.\.|[a-z0-9*]+))*$/.test(phrase)),
          [],
        );
        t.is(new Set(phrases).size, phrases.length, `${name} ${weight}`);
      }
    }
  }
});

test('the names listed by hand belong to airports and airlines of the reference data', async (t) => {
  const airports = new Set((await readScheduledAirports()).map(({ iata }) => iata));
  const airlines = new Set(readNamedAirlines().map(({ iata }) => iata));
  const airportCodes = Object.values(names.airports);
  t.deepEqual(
    airportCodes.filter((code) => !airports.has(code)),
    [],
  );
  const carriers = [...Object.values(names.carriers), ...Object.values(names.shortCarriers)];
  t.deepEqual(
    carriers.filter((code) => !airlines.has(code)),
    [],
  );
  const cities = new Set((await readScheduledAirports()).map(({ city }) => foldText(city).trim()));
  t.deepEqual(
    Object.values(names.cities).filter((name) => !cities.has(name)),
    [],
  );
  const keys = [...Object.keys(names.airports), ...Object.keys(names.cities), ...names.nothing];
  t.deepEqual(
    keys.filter((name) => foldText(name).trim() !== name),
    [],
  );
});
