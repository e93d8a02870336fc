/** What the head of every page leads to, in its order. */
export const NAV: readonly { href: string; name: string }[] = [
  { href: '/', name: 'Score a flight' },
  { href: '/status', name: 'Status' },
  { href: '/docs', name: 'API' },
];
