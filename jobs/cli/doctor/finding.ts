/** Finding about one subject. If something is wrong, `help` describes the fix. */
export type Finding = {
  what: string;
  state: 'well' | 'doubtful' | 'bad';
  text: string;
  help?: string;
};

export function okFinding(what: string, text: string): Finding {
  return { what, state: 'well', text };
}

export function doubtfulFinding(what: string, text: string, help: string): Finding {
  return { what, state: 'doubtful', text, help };
}

export function badFinding(what: string, text: string, help: string): Finding {
  return { what, state: 'bad', text, help };
}
