/** What `/docs` shows; texts have what is to be taken to the letter in backticks. */
export type InterfaceData = {
  version: string;
  /** What holds for every call. */
  description: string;
  groups: { name: string; description: string; calls: Call[] }[];
  /** Objects that bodies have in common. */
  parts: { name: string; fields: Field[] }[];
  refusals: { status: string; description: string; example: string }[];
  headers: { name: string; said: string }[];
};

/** One endpoint. */
export type Call = {
  /** Its name in clients, and on the page. */
  id: string;
  path: string;
  summary: string;
  description: string;
  /** Which key it takes, and where: `none`, in the query, or an admin key in a header. */
  key: 'none' | 'query' | 'admin';
  /** Answers 501 for now. */
  isAnnounced: boolean;
  parameters: Parameter[];
  /** Name of its body, its fields, and one as it is sent. */
  body: { name: string; fields: Field[]; example: string };
  /** Statuses other than 200. */
  refusals: string[];
};

export type Parameter = Field & {
  isRequired: boolean;
  /** As it stands in an address. */
  example: string;
  input: 'text' | 'date' | 'time' | 'number' | 'flag';
};

/** `[Stats](#Stats)` in a type leads to the part of that name. */
export type Field = { name: string; type: string; said: string };
