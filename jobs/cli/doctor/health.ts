import { isAcknowledgeable } from '../../../warehouse/live/incidents.ts';
import type { Verdict } from '../status/verdict.ts';
import { badFinding, doubtfulFinding, okFinding, type Finding } from './finding.ts';

const HELP = 'see "Conditions" in docs/operations.md';

/** Returns a finding for each problem of the verdict, named by its condition. */
export function healthFindings({ problems }: Verdict): Finding[] {
  if (problems.length === 0) return [okFinding('health', 'make status finds no problem')];
  return problems.map(({ kind, state, text }) => {
    const help = isAcknowledgeable({ kind })
      ? `fix the cause, then repeat the command; to clear the message, run make acknowledge`
      : HELP;
    return (state === 'failing' ? badFinding : doubtfulFinding)(kind, text, help);
  });
}
