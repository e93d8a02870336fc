/** What was found of one thing: well, doubtful, or bad, and what helps. */
export type Finding = {
  what: string;
  state: 'well' | 'doubtful' | 'bad';
  text: string;
  help?: string;
};

export function well(what: string, text: string): Finding {
  return { what, state: 'well', text };
}

export function doubtful(what: string, text: string, help: string): Finding {
  return { what, state: 'doubtful', text, help };
}

export function bad(what: string, text: string, help: string): Finding {
  return { what, state: 'bad', text, help };
}
