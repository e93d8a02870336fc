/** The one plausible year in a file name, or undefined when there is none or more than one. */
export function yearInName(name: string): number | undefined {
  const years = new Set(name.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g));
  const [year] = years;
  return years.size === 1 && year !== undefined && isPlausibleYear(Number(year))
    ? Number(year)
    : undefined;
}

/** BTS keeps on-time records from October 1987. */
export function isPlausibleYear(year: number): boolean {
  return Number.isInteger(year) && year >= 1987 && year <= 2100;
}
