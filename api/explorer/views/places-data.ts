/** What forms offer, as rows without names: it is the longest thing a browser is sent. */
export type PlacesData = {
  /** Code, city, name, country and flights, the busiest first. */
  airports: [string, string, string, string, number][];
  /** Code and name, in the order of codes. */
  airlines: [string, string][];
};
