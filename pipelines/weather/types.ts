/** An airport, for weather requests. */
export type WeatherPlace = {
  /** IATA code. */
  airport: string;
  latitude: number;
  longitude: number;
  /** IANA name; days are local to it. */
  timeZone: string;
};

/** Weather of the hour that begins at `at`; unknown values are absent. */
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

/** Source of past weather: an archive compatible with Open-Meteo's, or a file of observations. */
export type WeatherSource =
  | { kind: 'url'; base: string }
  /** `zone` is the zone of the hours: `local`, an IANA name or an offset; UTC if absent. */
  | { kind: 'file'; path: string; zone?: string };
