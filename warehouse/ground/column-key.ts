/**
 * Returns a key that is equal for two names of a column if only letter case, accents, spaces or underscores differ:
 * providers write `Situação Voo`, `SITUACAO VOO` and `situacao_voo`.
 */
export function columnKey(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '_');
}
