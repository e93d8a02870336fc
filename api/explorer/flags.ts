import { publicDocument, type PublicDocument } from '../routes/public-document.ts';

/** Path of the flags of countries. */
export const FLAGS_PATH = '/explorer/flags/';

/** Returns the flag of a country as an SVG file, from its ISO 3166 code; undefined for other texts. */
export async function flagFile(name: string): Promise<PublicDocument | undefined> {
  const [, code] = /^([A-Z]{2})\.svg$/.exec(name) ?? [];
  if (code === undefined) return undefined;
  try {
    const flag = (await import(`country-flag-icons/string/3x2/${code}`)) as { default: string };
    return publicDocument('image/svg+xml', flag.default);
  } catch {
    // The package has no flag for this code.
    return undefined;
  }
}
