import { percent } from '../format.ts';

/** Thousandths as a share. */
export function shareText(thousandths: number | null, locale: string): string {
  return thousandths === null ? 'nothing leaves' : percent(thousandths / 1000, locale);
}
