/** The data of `/docs`. Texts have code in backticks. */
export type InterfaceData = {
  version: string;
  /** Rules for every call. */
  description: string;
  groups: { name: string; description: string; calls: Call[] }[];
  /** Objects that several bodies share. */
  parts: { name: string; fields: Field[] }[];
  refusals: { status: string; description: string; example: string }[];
  headers: { name: string; description: string }[];
};

/** One endpoint. */
export type Call = {
  /** The name in clients, and the anchor on the page. */
  id: string;
  method: string;
  /** A name in braces is a parameter. */
  path: string;
  summary: string;
  description: string;
  /** The key that a call needs: none, a key in the query, or an admin key in a header. */
  key: 'none' | 'query' | 'admin';
  /** Whether the endpoint is not implemented yet. A call then gets status 501. */
  isAnnounced: boolean;
  parameters: Parameter[];
  /** The response body: its name, its fields and an example. */
  body: { name: string; fields: Field[]; example: string };
  /** Error statuses. */
  refusals: string[];
};

export type Parameter = Field & {
  isRequired: boolean;
  /** The value as written in an address. */
  example: string;
  input: 'text' | 'date' | 'time' | 'number' | 'flag';
};

/** `[Stats](#Stats)` in a type links to the shared object of that name. */
export type Field = { name: string; type: string; description: string };
