/** The months (`YYYY-MM`) from one to another, both included; none when they are the wrong way round. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = [];
  for (let at = ordinal(from); at <= ordinal(to); at++) {
    months.push(`${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`);
  }
  return months;
}

function ordinal(month: string): number {
  const [year = 0, monthOfYear = 0] = month.split('-').map(Number);
  return year * 12 + monthOfYear - 1;
}
