/** An airport as weather is asked for. */
export type WeatherPlace = {
  /** IATA code. */
  airport: string;
  latitude: number;
  longitude: number;
  /** IANA name; days are local to it. */
  timeZone: string;
};

/** Weather of one hour that begins at `at`; what is not known is absent. */
export type WeatherHour = {
  /** Milliseconds since 1970. */
  at: number;
  tempC?: number | undefined;
  windKmh?: number | undefined;
  gustKmh?: number | undefined;
  precipMm?: number | undefined;
  snowfallCm?: number | undefined;
  visibilityM?: number | undefined;
  weatherCode?: number | undefined;
};

/** Where the weather of the past comes from: an archive that answers as Open-Meteo's does, or a file of observations. */
export type WeatherSource =
  | { kind: 'url'; base: string }
  /** Whose clock its hours are by: `local`, an IANA name or an offset; absent: UTC. */
  | { kind: 'file'; path: string; zone?: string };
