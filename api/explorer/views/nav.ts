/** What the head of every page leads to, in its order. */
export const NAV: readonly { href: string; name: string }[] = [
  { href: '/', name: 'Score a flight' },
  { href: '/map', name: 'Map' },
  { href: '/airports', name: 'Airports' },
  { href: '/airlines', name: 'Airlines' },
  { href: '/model', name: 'Is it right?' },
  { href: '/status', name: 'Status' },
  { href: '/docs', name: 'API' },
];
