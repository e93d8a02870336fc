import test from 'ava';
import { flyAdvice, nameWithPartners, partnersNote } from '../../../api/explorer/views/partners.ts';

test('for an airline that flies for others, pages name the sellers', (t) => {
  t.is(
    flyAdvice('Republic Airways', 'YX'),
    'Fly Republic Airways (book American, Delta or United)',
  );
  t.is(flyAdvice('JetBlue Airways', 'B6'), 'Fly JetBlue Airways');
  t.is(nameWithPartners('Endeavor Air', '9E'), 'Endeavor Air (flies for Delta)');
  t.is(
    partnersNote([
      { code: 'DL', name: 'Delta Air Lines' },
      { code: 'CP', name: 'Compass Airlines' },
      { code: 'QX', name: 'Horizon Air' },
    ]),
    ' Some airlines sell few tickets themselves: Compass Airlines flew for American and Delta until 2020; Horizon Air flies for Alaska.',
  );
  t.is(partnersNote([{ code: 'DL', name: 'Delta Air Lines' }]), '');
});
