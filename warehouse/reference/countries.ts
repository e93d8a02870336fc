const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Common names, where the Unicode list spells out a status or adds a second name. */
const SHORTER: Record<string, string> = {
  CD: 'DR Congo',
  CG: 'Congo',
  HK: 'Hong Kong',
  MM: 'Myanmar',
  MO: 'Macao',
  PS: 'Palestine',
};

/** Returns the English name of a country by its ISO 3166 code (also `XK`, Kosovo); empty for an unknown code. */
export function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) {
    return '';
  }
  return SHORTER[code] ?? regionNames.of(code) ?? '';
}
