/**
 * Returns the first language in `Accept-Language`, for figures and dates; `en-GB` if the header is missing or invalid.
 */
export function localeOf(acceptLanguage: string): string {
  const [firstLanguage = ''] = acceptLanguage.split(',');
  const [name = ''] = firstLanguage.trim().split(';');
  try {
    return Intl.getCanonicalLocales(name)[0] ?? DEFAULT_LOCALE;
  } catch {
    return DEFAULT_LOCALE;
  }
}

const DEFAULT_LOCALE = 'en-GB';
