/** The first language the browser names that we can write figures and dates in; `en-GB` where it names none. */
export function localeOf(acceptLanguage: string): string {
  const [wanted = ''] = acceptLanguage.split(',');
  const [name = ''] = wanted.trim().split(';');
  try {
    return Intl.getCanonicalLocales(name)[0] ?? USUAL;
  } catch {
    return USUAL;
  }
}

const USUAL = 'en-GB';
