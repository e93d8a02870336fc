import test from 'ava';
import { countryInSentence } from '../../../warehouse/ground/country-in-sentence.ts';

test('a country has an article in a sentence if its name needs one', (t) => {
  const codes = ['US', 'GB', 'AE', 'NL', 'FO', 'IT', 'HK', 'XX'];
  t.deepEqual(codes.map(countryInSentence), [
    'the United States',
    'the United Kingdom',
    'the United Arab Emirates',
    'the Netherlands',
    'the Faroe Islands',
    'Italy',
    'Hong Kong SAR China',
    'XX',
  ]);
});
