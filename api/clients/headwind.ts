// Made by `npm run clients` for version 0.2.0 of the interface. For Node and whatever else has fetch; not for
// browsers: keys are no business of pages.

/** How the client calls. */
export type ClientOptions = {
  /** Address of the service, without a path: `https://headwind.example`. */
  baseUrl: string;
  /** Left out for `health` alone. */
  apiKey?: string | undefined;
  /** How long one try may take, in ms; 10 s unless given. */
  deadlineMs?: number;
  /** How often to try again what was refused for the moment, or did not come through; 2 unless given. */
  retries?: number;
  /** The longest wait before a try, in ms; 10 s unless given. Who is told to wait longer is refused at once. */
  patienceMs?: number;
  fetch?: typeof fetch;
};

/** A call that failed: its answer is not the one asked for, or none came. */
export class HeadwindError extends Error {
  override readonly name = 'HeadwindError';
  /** Of the answer; undefined when none came. */
  readonly status: number | undefined;
  /**
   * A code of the documentation; `invalid_response` when it was not this service that answered, as with a proxy;
   * `no_response` when nobody did, or not in time: `cause` is what `fetch` threw.
   */
  readonly code: string;
  /** The parameter at fault. */
  readonly param: string | undefined;
  /** To quote in a report. */
  readonly requestId: string | undefined;
  /** Seconds after which to try again. */
  readonly retryAfter: number | undefined;

  constructor(response: Response | undefined, body: Record<string, unknown>, cause?: unknown) {
    const without = response ? `HTTP ${response.status} without a message` : 'No answer came';
    super(textOf(body['message']) ?? without, { cause });
    this.status = response?.status;
    this.code = textOf(body['error']) ?? (response ? 'invalid_response' : 'no_response');
    this.param = textOf(body['param']);
    this.requestId = response?.headers.get('X-Request-Id') ?? undefined;
    const retryAfter = Number(response?.headers.get('Retry-After') ?? Number.NaN);
    this.retryAfter = Number.isNaN(retryAfter) ? undefined : retryAfter;
  }
}

/** One endpoint: where it is, which answers are good ones, and whether asking twice does no harm. */
type Endpoint = { path: string; accepted?: number[]; isOnce?: boolean };

type Params = Record<string, string | number | boolean | string[] | undefined>;

/** Makes the function that calls endpoints and tries again where that can help. */
function caller(options: ClientOptions) {
  const { retries = 2, patienceMs = 10_000 } = options;
  return async <Answer>(endpoint: Endpoint, params: Params = {}): Promise<Answer> => {
    for (let left = endpoint.isOnce ? 0 : retries; ; left -= 1) {
      try {
        return (await tryOnce(endpoint, params, options)) as Answer;
      } catch (error) {
        const waitMs = waitOf(error, retries - left);
        if (left <= 0 || waitMs === undefined || waitMs > patienceMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  };
}

async function tryOnce(
  { path, accepted = [200] }: Endpoint,
  params: Params,
  { baseUrl, apiKey, deadlineMs = 10_000, fetch = globalThis.fetch }: ClientOptions,
): Promise<object> {
  const url = new URL(path, baseUrl);
  const given: Params = { ...params, api_key: apiKey };
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const { response, body } = await answerOf(() =>
    fetch(url, { signal: AbortSignal.timeout(deadlineMs) }),
  );
  if (body === undefined || !accepted.includes(response.status)) {
    throw new HeadwindError(response, (body ?? {}) as Record<string, unknown>);
  }
  return body;
}

/** The answer with its body; throws a `HeadwindError` when the connection fails, or the deadline passes, before all of it came. */
async function answerOf(ask: () => Promise<Response>) {
  try {
    const response = await ask();
    return { response, body: await objectOf(response) };
  } catch (error) {
    throw new HeadwindError(undefined, {}, error);
  }
}

/** How long to wait before the next try, in ms; undefined: trying again cannot help. */
function waitOf(error: unknown, tried: number): number | undefined {
  const guessMs = 250 * 2 ** tried;
  if (!(error instanceof HeadwindError)) return undefined;
  if (![undefined, 429, 502, 503, 504].includes(error.status)) return undefined;
  return error.retryAfter === undefined ? guessMs : 1000 * error.retryAfter;
}

/** The body as an object; undefined when it is no JSON object. */
async function objectOf(response: Response): Promise<object | undefined> {
  const body: unknown = await response.json().catch((error: unknown) => {
    // Only what is not JSON; a broken connection or the deadline stays an error of its own.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  });
  return typeof body === 'object' && body !== null ? body : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The band of the points: `Low` to 30, `Moderate` to 55, `High` to 74, `Very High` above. */
export type Label = 'Low' | 'Moderate' | 'High' | 'Very High';

/** The history the score rests on: `exact` is the airline on the route, `route_any_airline` all airlines on it; with `no_data` all counts are 0 and the score rests on what is known of the airports and the airline. */
export type DataSource = 'exact' | 'route_any_airline' | 'no_data';

/** One of the six factors. */
export type ComponentKey = 'delay_rate' | 'cancel_rate' | 'congestion' | 'weather' | 'seasonality' | 'event_risk';

/** What the record says of such flights, as raw counts. */
export type Stats = {
  /** Flights delayed more than 30 minutes, of those that arrived as planned or late; 2 decimals. [%] */
  delay_rate_pct: number;
  /** Flights cancelled, of all scheduled; 2 decimals. [%] */
  cancel_rate_pct: number;
  /** Average delay of the delayed flights alone; 0 when there is none; 1 decimal. [minutes] */
  avg_delay_min: number;
  /** Flights of the history that were used. [flights] */
  n_flights: number;
  /** n / (n + n0), n the airline's own flights on the route; 25 at most with `route_any_airline`, 0 with `no_data`. [%] */
  confidence_pct: number;
  /** Congestion of the departure airport; 3 decimals. [share] */
  congestion_dep: number;
  /** Congestion of the arrival airport; 3 decimals. [share] */
  congestion_arr: number;
  /** The model's probability of a delay of more than 30 minutes; null without a model; 2 decimals. [%] */
  ml_probability: number | null;
};

/** What one factor adds to the score. */
export type Component = {
  key: ComponentKey;
  /** Display name of the factor. */
  name: string;
  /** The factor on a scale of its own; 4 decimals. [share] */
  value: number;
  /** The band of 100 × `value`. */
  label: Label;
  /** Points of the final score, below 0 where the factor is better than for an average flight; with the model's part they add up to the score before rounding; 2 decimals. [points] */
  contribution: number;
};

/** The weather of an airport's local day. */
export type Weather = {
  /** Weather risk; 4 decimals. [share] */
  score: number;
  /** The weather in words. Up to 16 days ahead it is the forecast; beyond, it begins with `Typical for`, the mean of the month there; `Unavailable` where neither is known, with the risk of typical weather. */
  condition: string;
  /** Mean of the day; 1 decimal. [°C] */
  temp: number | null;
  /** Wind of the worst hour; 1 decimal. [km/h] */
  wind: number | null;
  /** Precipitation of the worst hour; 1 decimal. [mm] */
  precip: number | null;
};

/** An airport for people. */
export type Place = {
  /** Name of the airport. */
  name: string;
  /** Its city. */
  city: string;
  /** Its country. */
  country: string;
};

export type NewsItem = {
  /** Title of the article or alert. */
  title: string;
  /** One sentence on what it means for flights. */
  summary: string;
  /** Name of the source. */
  source: string;
  /** Link to the original. */
  url: string;
  /** When it was published, ISO 8601 in UTC. */
  published_at: string;
  /** How much it disrupts. */
  impact: 'low' | 'medium' | 'high';
  /** What kind of event it is; `atc` is air traffic control. */
  event_type: 'strike' | 'weather' | 'atc' | 'security' | 'technical' | 'general';
  /** How bad it is. [share] */
  severity: number;
};

export type AirlineEntry = {
  /** IATA code of the airline. */
  airline: string;
  /** Its full name. */
  airline_name: string;
  /** Its score on this route for a departure today, as of `/api/score`. [points] */
  score: number;
  /** The band of `score`. */
  label: Label;
  /** Flights of the record delayed more than 30 minutes; 4 decimals. [share] */
  delay_rate: number;
  /** Flights of the airline on this route in the history. [flights] */
  total_flights: number;
  /** How far its record carries; 4 decimals. [share] */
  confidence: number;
  /** The months of its record on this route, null where they are not known: one that ends long ago may be of an airline that has left; with `include=record`. */
  record?: {
    /** Its first month. */
    first: string;
    /** Its last month. */
    last: string;
  } | null;
};

export type CalendarDay = {
  /** The day, `YYYY-MM-DD`. */
  date: string;
  /** 1 (Monday) to 7 (Sunday). [day of the week] */
  weekday: number;
  /** The score of `/api/score` on that day; null, as the two below, where that would refuse the date. [points] */
  score: number | null;
  /** The band of `score`. */
  label: Label | null;
  /** The component that contributes most. */
  top_factor: ComponentKey | null;
};

export type UsageEntry = {
  /** The year. [year] */
  year: number;
  /** 1 to 12. [month of the year] */
  month: number;
  /** Calls of that month. [calls] */
  requests: number;
  /** The limit when the row was written. [calls] */
  monthly_limit: number;
  /** Share of the limit that was used; 2 decimals. [%] */
  usage_pct: number;
  /** When the row was written, ISO 8601 in UTC. */
  logged_at: string;
  /** Always `historical`. */
  period: 'historical';
};

export type ErrorBody = {
  /** What went wrong, as a code; there may be more of them. */
  error: string;
  /** The same for people; its wording may change. */
  message: string;
  /** The parameter at fault. */
  param?: string;
  /** To quote in a report; comes with 500. */
  request_id?: string;
  /** Of `/api/keys/validate` alone, for a key that is unknown or inactive. */
  valid?: false;
};

export type Score = {
  /** The risk, 0 (lowest) to 100 (highest). [points] */
  score: number;
  /** The statistical score alone, before the model. [points] */
  score_linear: number;
  /** The model's estimate; null when it is unavailable. [points] */
  score_ml: number | null;
  /** Whether the model contributed to `score`. */
  ml_available: boolean;
  /** The band of `score`. */
  label: Label;
  /** One sentence on the risk and its main cause; events in force go first. */
  recommendation: string;
  /** The flight that was asked for. */
  input: {
    /** IATA code of the departure airport. */
    origin: string;
    /** IATA code of the arrival airport. */
    destination: string;
    /** IATA code of the airline. */
    airline: string;
    /** Departure date at the origin. */
    flight_date: string;
    /** Local departure time, `HH:MM`; present when it was given. */
    dep_time?: string;
  };
  stats: Stats;
  /** The factors, highest contribution first. */
  components: Array<Component>;
  /** Weather at the departure airport on the day. */
  weather_dep: Weather;
  /** Weather at the arrival airport on the day of arrival, that of `dep_time` or of a departure in the afternoon. */
  weather_arr: Weather;
  data_source: DataSource;
  /** Who recorded the flights; `bts` is the US Bureau of Transportation Statistics. */
  data_provider: string;
  /** The airline for people. */
  airline_info: {
    /** Full name of the airline. */
    name: string;
    /** Its country. */
    country: string;
  };
  /** The departure airport for people. */
  origin_info: Place;
  /** The arrival airport for people. */
  dest_info: Place;
  /** News that touch that airline's flight; present with `news=true`. */
  news?: Array<NewsItem>;
  /** What the answer rests on; with `include=lineage`. */
  lineage?: {
    /** Version of the history, as in `X-Store-Version`. */
    store_version: string;
    /** Months of flights in the history. */
    months: {
      /** The oldest, `YYYY-MM`. */
      first: string | null;
      /** The newest, `YYYY-MM`. */
      last: string | null;
      /** How many there are. [months] */
      count: number;
    };
    /** The record the answer rests on: the airline's on the route, or that of all airlines there; null without one. */
    record: {
      /** Its first month. */
      first: string;
      /** Its last month. */
      last: string;
    } | null;
    /** The newest day of flights; null where the last month is known in sums only. */
    last_flight_date: string | null;
    /** Newest month of the table that tells how late airlines and airports are now; null without one. */
    levels_until: string | null;
    /** Version of the model; null where none has a part. */
    model: string | null;
    /** Of the weather at the departure airport. */
    weather_dep: {
      /** What the weather rests on. */
      basis: string;
      /** Minutes since the forecast was fetched; null without one. [minutes] */
      age_min: number | null;
    };
    /** Of the weather at the arrival airport. */
    weather_arr: {
      /** What the weather rests on. */
      basis: string;
      /** Minutes since the forecast was fetched; null without one. [minutes] */
      age_min: number | null;
    };
    /** Of the general news feeds; null when they were never fetched. */
    news: {
      /** Minutes since it was fetched; null where it has no part in the score. [minutes] */
      age_min: number | null;
    };
    /** Of the FAA's airport status; null also when older than an hour, or not of the day of the flight. */
    airport_status: {
      /** Minutes since it was fetched; null where it has no part in the score. [minutes] */
      age_min: number | null;
    };
    /** From today at the origin to the flight; negative for the past. [days] */
    horizon_days: number;
    /** Figures nothing is known of, in whose place stands what an average flight has. */
    unknown: Array<string>;
  };
  /** Shares of flights by delay on arrival; they add up to 1. Null without a model. */
  outlook?: {
    /** Arrives less than 15 minutes late, or early. [share] */
    under_15: number;
    /** 15 to 30 minutes late, both included. [share] */
    from_15_to_30: number;
    /** More than 30, up to 60 minutes late. [share] */
    from_30_to_60: number;
    /** More than 60, up to 120 minutes late. [share] */
    from_60_to_120: number;
    /** More than 120 minutes late. [share] */
    over_120: number;
    /** Does not fly. [share] */
    cancelled: number;
  } | null;
  /** Where the score would lie, with probability `level`, were the delay record of such flights known for good. Null where the history holds nothing of route, airports and airline. */
  interval?: {
    /** The probability that it lies within. [share] */
    level: number;
    /** Lower end of the score. [points] */
    low: number;
    /** Upper end of the score. [points] */
    high: number;
    /** The same of `ml_probability`; null without a model. */
    ml_probability: {
      /** Lower end. [%] */
      low: number;
      /** Upper end. [%] */
      high: number;
    } | null;
  } | null;
  /** A departure in each local hour; with `include=by_hour`. */
  by_hour?: Array<{
    /** Local hour of departure, 0 to 23. [hour of the day] */
    hour: number;
    /** Score of a departure in that hour. [points] */
    score: number;
    /** The band of `score`. */
    label: Label;
  }>;
  /** How the two opinions make the score; with `include=blend`. */
  blend?: {
    /** Share of the statistical score. [share] */
    statistical_share: number;
    /** Share of the model's. [share] */
    ml_share: number;
    /** Points of the statistics. [points] */
    statistical_points: number;
    /** Points of the model. [points] */
    ml_points: number;
    /** Both together. [points] */
    score_before_rounding: number;
  };
};

export type Batch = {
  /** How many flights were asked for. [flights] */
  count: number;
  /** One of each flight, in their order. */
  results: Array<{
    /** The flight as it was given. */
    flight: string;
    /** The answer of `/api/score`; absent with `error`. */
    result: Score;
  } | {
    /** The flight as it was given. */
    flight: string;
    /** What `/api/score` would refuse it with; absent with `result`. */
    error: ErrorBody;
  }>;
};

export type Calendar = {
  /** IATA code of the departure airport. */
  origin: string;
  /** IATA code of the arrival airport. */
  dest: string;
  /** IATA code of the airline. */
  airline: string;
  /** The month, `YYYY-MM`. */
  month: string;
  data_source: DataSource;
  /** As in `stats` of `/api/score`. [%] */
  confidence_pct: number;
  /** Every day of the month, in order. */
  days: Array<CalendarDay>;
};

export type Airlines = {
  /** IATA code of the departure airport. */
  origin: string;
  /** IATA code of the arrival airport. */
  dest: string;
  /** Every airline with history on the route, lowest score first, in code order among equals; empty when nobody in the history flew it. */
  airlines: Array<AirlineEntry>;
};

export type News = {
  /** IATA code of the departure airport. */
  origin: string;
  /** IATA code of the arrival airport. */
  dest: string;
  /** News of the last seven days about the airports, their countries, and the airlines of the route, newest first, 20 at most. */
  news: Array<NewsItem>;
  /** Where the list comes from. */
  meta: {
    /** How many items `news` has. [items] */
    count: number;
    /** True when they were there already, false when fetched for this call. */
    cached: boolean;
    /** When they were fetched last, ISO 8601 in UTC. */
    fetched_at: string;
    /** How long they stay cached. [hours] */
    cache_ttl_hours: number;
  };
};

export type Explanation = {
  /** IATA code of the departure airport. */
  origin: string;
  /** IATA code of the arrival airport. */
  destination: string;
  /** IATA code of the airline. */
  airline: string;
  /** Departure date at the origin. */
  date: string;
  /** The score of `/api/score`. [points] */
  score: number;
  /** The band of `score`. */
  label: Label;
  /** The record, weather, congestion, season and confidence in a few sentences. */
  explanation: string;
};

export type Model = {
  /** First 12 characters of the SHA-256 of the model file. */
  version: string;
  /** Digest of the ordered names of the features. */
  contract: string;
  /** What the model knows of a flight, in its order. */
  features: Array<{
    /** Its name. */
    name: string;
    /** Its unit. */
    unit: string;
    /** What it is. */
    what: string;
  }>;
  /** What it was made from. */
  trained_on: {
    /** Months, `YYYY-MM`. */
    months: Array<string>;
    /** Rows. [rows] */
    rows: number;
    /** Digest of the data. */
    data_sha256: string;
    /** The flights it learned from one by one; older months are in the effects alone. */
    coverage: {
      /** Of the flights, `YYYY-MM`. */
      first_month: string;
      /** Of the flights, `YYYY-MM`. */
      last_month: string;
      /** How many. [flights] */
      flights: number;
      /** Airports they leave from or arrive at. [airports] */
      airports: number;
      /** Airlines that fly them. [airlines] */
      airlines: number;
      /** From one airport to another. [routes] */
      routes: number;
    } | null;
  };
  /** Of the random numbers of its training. */
  seed: number;
  /** Of the code that trained it. */
  code_version: string;
  /** When it was trained; null where that is not known. */
  created_at: string | null;
  /** As the training reported them, on flights of months the model had not seen. Events in force change `ml_probability` after the model, so no figure here is about them. */
  metrics: Record<string, unknown>;
  /** What became of flights by the score they would have had; null for a model whose training did not report it. */
  score_reliability: {
    /** What the flights were scored without. */
    note: string;
    /** The months they are of, `YYYY-MM`. */
    months: Array<string>;
    /** How many. [flights] */
    flights: number;
    /** What the flights are of: figures of other airports and airlines there are none. */
    coverage: {
      /** Airports they leave from or arrive at. [airports] */
      airports: number;
      /** Airlines that fly them. [airlines] */
      airlines: number;
      /** From one airport to another. [routes] */
      routes: number;
    } | null;
    /** Share of them delayed or cancelled; null without any. [share] */
    disrupted: number | null;
    /** By band. */
    bands: Array<{
      /** The band of their score. */
      label: Label;
      /** How many. [flights] */
      flights: number;
      /** Their share of all. [share] */
      share: number;
      /** Share of them delayed or cancelled; null without any. [share] */
      disrupted: number | null;
    }>;
    /** By tenth of the scale. */
    tenths: Array<{
      /** Lowest score. [points] */
      from: number;
      /** Highest score. [points] */
      to: number;
      /** How many. [flights] */
      flights: number;
      /** Their share of all. [share] */
      share: number;
      /** Share of them delayed or cancelled; null without any. [share] */
      disrupted: number | null;
    }>;
    /** By confidence, below 50 and from there on. */
    by_confidence: Array<{
      /** Lowest `confidence_pct`. [%] */
      from: number;
      /** Highest `confidence_pct`. [%] */
      to: number;
      /** By band. */
      bands: Array<{
        /** The band of their score. */
        label: Label;
        /** How many. [flights] */
        flights: number;
        /** Their share of all. [share] */
        share: number;
        /** Share of them delayed or cancelled; null without any. [share] */
        disrupted: number | null;
      }>;
    }>;
    /** By month of the flights; null for a model whose training did not report it. */
    by_month: Array<{
      /** `YYYY-MM`. */
      month: string;
      /** How many. [flights] */
      flights: number;
      /** Share of them delayed or cancelled; null without any. [share] */
      disrupted: number | null;
      /** By band. */
      bands: Array<{
        /** The band of their score. */
        label: Label;
        /** How many. [flights] */
        flights: number;
        /** Their share of all. [share] */
        share: number;
        /** Share of them delayed or cancelled; null without any. [share] */
        disrupted: number | null;
      }>;
    }> | null;
  } | null;
  /** How delays spread. */
  outlook_shares: {
    /** Of flights up to 30 minutes late: less than 15. [share] */
    under_15: number;
    /** Of the same: 15 to 30. [share] */
    from_15_to_30: number;
    /** Of flights more than 30 minutes late: up to 60. [share] */
    from_30_to_60: number;
    /** Of the same: up to 120. [share] */
    from_60_to_120: number;
    /** Of the same: more than 120. [share] */
    over_120: number;
  };
};

export type ValidKey = {
  /** True; a key that is unknown or inactive gets 401. */
  valid: true;
  /** The first 14 characters of the key; safe to show and log. */
  prefix: string;
  /** Label of the key. */
  name: string;
  /** Calls per calendar month. [calls] */
  monthly_limit: number;
  /** Calls that count so far this month. [calls] */
  month_count: number;
  /** Calls of all time. [calls] */
  total_requests: number;
  /** When the key was made, ISO 8601 in UTC. */
  created_at: string;
  /** `month_count` under another name. [calls] */
  requests_this_month: number;
};

export type KeyUsage = {
  /** The first 14 characters of the key; safe to show and log. */
  key_prefix: string;
  /** Label of the key. */
  name: string;
  /** The month under way, in UTC. */
  current_month: {
    /** The year. [year] */
    year: number;
    /** 1 to 12. [month of the year] */
    month: number;
    /** Calls that count so far this month. [calls] */
    requests: number;
    /** Calls per calendar month. [calls] */
    monthly_limit: number;
    /** Always `current`. */
    period: 'current';
  };
  /** Finished months since the key existed, those without calls too, newest first. */
  history: Array<UsageEntry>;
  /** Calls of all time. [calls] */
  total_requests_all_time: number;
};

export type CreatedKey = {
  /** The key itself; this answer is the only one that shows it. */
  api_key: string;
  /** The first 14 characters of the key; safe to show and log. */
  prefix: string;
  /** Calls per calendar month. [calls] */
  monthly_limit: number;
  /** A reminder to save the key. */
  message: string;
};

export type Health = {
  /** `ok`; `degraded` while answers lack a part; `error`, with HTTP 503, while calls with a key cannot be answered. */
  status: string;
  /** Of the answer, ISO 8601 in UTC. */
  time: string;
  /** Each part by name; `ok` when healthy. */
  components: {
    /** This process. */
    api: string;
    /** The score store and Redis together. */
    database: string;
    /** The model; without it scores rest on statistics alone. */
    ml_model: string;
    /** Which part of the history is too old. */
    history: string;
  };
  /** The newest months that answers rest on. */
  history: {
    /** Newest month of flights, `YYYY-MM`. */
    flights_until: string | null;
    /** Newest month of the table that tells how late airlines and airports are now; null without one. */
    levels_until: string | null;
  };
  /** The news behind `event_risk`; without them it rests on holidays and, where there is one, the airport status. */
  news: {
    /** When the general feeds were fetched last, ISO 8601 in UTC; null: never. */
    fetched_at: string | null;
  };
};

export type ScoreParams = {
  /** IATA code of the departure airport. */
  origin: string;
  /** IATA code of the arrival airport; differs from `origin`. */
  dest: string;
  /** IATA code of the airline, two letters or digits. */
  airline: string;
  /** Departure date, `YYYY-MM-DD`: from the first month of the history to 365 days after today, by the calendar at the origin. */
  date: string;
  /** Local departure time, `HH:MM`: all of the score is of that hour, at both ends; `stats` stay those of all hours, but for congestion. Without it, the expectation over the hours the airline flies the route in, each weighing its flights, so that the two agree on average. */
  dep_time?: string;
  /** Adds the array `news`; it never changes the score. */
  news?: boolean;
  /** Parts to add to the answer, with commas between. */
  include?: Array<'lineage' | 'outlook' | 'interval' | 'by_hour' | 'blend'>;
};

export type ScoreBatchParams = {
  /** 1 to 50 flights with commas between, each origin, destination, airline and date, or with a departure time behind: `JFK-LAX-AA-2026-12-20T17:30`. */
  flights: Array<string>;
};

export type CalendarParams = {
  /** IATA code of the departure airport. */
  origin: string;
  /** IATA code of the arrival airport; differs from `origin`. */
  dest: string;
  /** IATA code of the airline, two letters or digits. */
  airline: string;
  /** Local departure time, `HH:MM`: all of the score is of that hour, at both ends; `stats` stay those of all hours, but for congestion. Without it, the expectation over the hours the airline flies the route in, each weighing its flights, so that the two agree on average. */
  dep_time?: string;
  /** The month, `YYYY-MM`; at least one of its days is a `date` that `/api/score` takes. */
  month: string;
};

export type AirlinesParams = {
  /** IATA code of the departure airport. */
  origin: string;
  /** IATA code of the arrival airport; differs from `origin`. */
  dest: string;
  /** Parts to add to the answer, with commas between. */
  include?: Array<'record'>;
};

export type NewsParams = {
  /** IATA code of the departure airport. */
  origin: string;
  /** IATA code of the arrival airport; differs from `origin`. */
  dest: string;
  /** Fetches anew instead of answering from the cache; to be used sparingly. */
  refresh?: boolean;
};

export type ExplainParams = {
  /** IATA code of the departure airport. */
  origin: string;
  /** IATA code of the arrival airport; differs from `origin`. */
  dest: string;
  /** IATA code of the airline, two letters or digits. */
  airline: string;
  /** Departure date, `YYYY-MM-DD`: from the first month of the history to 365 days after today, by the calendar at the origin. */
  date: string;
  /** Local departure time, `HH:MM`: all of the score is of that hour, at both ends; `stats` stay those of all hours, but for congestion. Without it, the expectation over the hours the airline flies the route in, each weighing its flights, so that the two agree on average. */
  dep_time?: string;
};

export type KeysUsageParams = {
  /** The rows of this year only. */
  year?: number;
  /** 1 to 12: the rows of this month only, of any year. */
  month?: number;
};

export type KeysCreateParams = {
  /** Label of the key, 1 to 100 characters; no key and no e-mail address in it. */
  name: string;
  /** Contact address; never returned. */
  email: string;
  /** Calls per calendar month. */
  monthly_limit?: number;
};

/** What can be asked of the service. */
export type Client = {
  /** The delay risk of one flight. */
  score: (params: ScoreParams) => Promise<Score>;
  /** Up to 50 flights in one call. */
  scoreBatch: (params: ScoreBatchParams) => Promise<Batch>;
  /** One flight on every day of a month. */
  calendar: (params: CalendarParams) => Promise<Calendar>;
  /** The airlines of a route, lowest risk first. */
  airlines: (params: AirlinesParams) => Promise<Airlines>;
  /** What may disrupt flights on a route. */
  news: (params: NewsParams) => Promise<News>;
  /** The score of a flight in words: announced, 501 where it is not switched on. */
  explain: (params: ExplainParams) => Promise<Explanation>;
  /** The card of the model that scores. */
  model: () => Promise<Model>;
  /** Whether a key works, and where its month stands. */
  keysValidate: () => Promise<ValidKey>;
  /** The month under way and the finished ones. */
  keysUsage: (params?: KeysUsageParams) => Promise<KeyUsage>;
  /** Makes a key. */
  keysCreate: (params: KeysCreateParams) => Promise<CreatedKey>;
  /** Whether calls with a key can be answered. */
  health: () => Promise<Health>;
};

/** A typed client. Every try has a deadline; what is refused for the moment is tried again, but the making of keys. */
export function createClient(options: ClientOptions): Client {
  const call = caller(options);
  return {
    score: (params) => call({ path: '/api/score' }, params),
    scoreBatch: (params) => call({ path: '/api/score/batch' }, params),
    calendar: (params) => call({ path: '/api/calendar' }, params),
    airlines: (params) => call({ path: '/api/airlines' }, params),
    news: (params) => call({ path: '/api/news' }, params),
    explain: (params) => call({ path: '/api/explain' }, params),
    model: () => call({ path: '/api/model' }),
    keysValidate: () => call({ path: '/api/keys/validate' }),
    keysUsage: (params) => call({ path: '/api/keys/usage' }, params),
    keysCreate: (params) => call({ path: '/api/keys/create', isOnce: true }, params),
    health: () => call({ path: '/api/health', accepted: [200, 503] }),
  };
}
