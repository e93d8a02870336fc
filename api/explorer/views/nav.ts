/** The links in the header of every page, in order. */
export const NAV: readonly { href: string; name: string }[] = [
  { href: '/', name: 'Score a flight' },
  { href: '/map', name: 'Map' },
  { href: '/airports', name: 'Airports' },
  { href: '/airlines', name: 'Airlines' },
  { href: '/model', name: 'Accuracy' },
  { href: '/status', name: 'Status' },
  { href: '/docs', name: 'API' },
];
