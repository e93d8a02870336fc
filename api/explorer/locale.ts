/**
 * Returns the visitor's regional English, such as `en-US`, for figures, dates and units; `en-GB` for every other
 * language. The texts are English, and dates of another language would not fit into them.
 */
export function localeOf(acceptLanguage: string): string {
  const [firstLanguage = ''] = acceptLanguage.split(',');
  const [name = ''] = firstLanguage.trim().split(';');
  try {
    const [locale = DEFAULT_LOCALE] = Intl.getCanonicalLocales(name);
    return new Intl.Locale(locale).language === 'en' ? locale : DEFAULT_LOCALE;
  } catch {
    return DEFAULT_LOCALE;
  }
}

const DEFAULT_LOCALE = 'en-GB';
