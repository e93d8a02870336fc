import { percent } from '../format.ts';

/** Formats thousandths as a percentage. */
export function shareText(thousandths: number | null, locale: string): string {
  return thousandths === null ? 'no flights' : percent(thousandths / 1000, locale);
}
