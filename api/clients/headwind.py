"""A client of Headwind, made by `npm run clients` for version 0.2.0 of the interface."""

from __future__ import annotations

import http.client
import json
import queue
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any, Literal, NotRequired, TypedDict


class HeadwindError(Exception):
    """A call that failed: its answer is not the one asked for, or none came.

    `status` is the HTTP status (None when no answer came), `code` a code of the documentation (`invalid_response` when it
    was not this service that answered, `no_response` when nobody did, or not in time: `__cause__` says why), `param` the
    parameter at fault, `request_id` what to quote in a report, `retry_after` seconds to wait.
    """

    def __init__(self, status: int | None, headers: Any, body: dict[str, Any]) -> None:
        without = "No answer came" if status is None else f"HTTP {status} without a message"
        super().__init__(body.get("message") or without)
        self.status = status
        self.code: str = body.get("error") or ("no_response" if status is None else "invalid_response")
        self.param: str | None = body.get("param")
        self.request_id: str | None = headers.get("X-Request-Id")
        text = headers.get("Retry-After")
        self.retry_after = int(text) if text is not None and text.isdigit() else None


class Caller:
    """Calls endpoints, and tries again where that can help."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        deadline: float = 10.0,
        retries: int = 2,
        patience: float = 10.0,
    ) -> None:
        """`deadline` is how long one try may take, `patience` the longest wait before another, both in seconds."""
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._deadline = deadline
        self._retries = retries
        self._patience = patience

    def _call(
        self, path: str, params: dict[str, Any], accepted: tuple[int, ...] = (200,), once: bool = False
    ) -> Any:
        given = {**params, "api_key": self._api_key}
        query = urllib.parse.urlencode({name: _text(value) for name, value in given.items() if value is not None})
        url = f"{self._base_url}{path}?{query}"
        retries = 0 if once else self._retries
        for tried in range(retries + 1):
            try:
                return self._try(url, accepted)
            except HeadwindError as error:
                wait = _wait(error, tried)
                if tried == retries or wait is None or wait > self._patience:
                    raise
                time.sleep(wait)

    def _try(self, url: str, accepted: tuple[int, ...]) -> Any:
        try:
            status, headers, data = _within(self._deadline, lambda: _get(url, self._deadline))
        except (OSError, http.client.HTTPException) as error:
            raise HeadwindError(None, {}, {}) from error
        try:
            body = json.loads(data)
        except ValueError:
            body = None
        if not isinstance(body, dict) or status not in accepted:
            raise HeadwindError(status, headers, body if isinstance(body, dict) else {})
        return body


def _get(url: str, deadline: float) -> tuple[int, Any, bytes]:
    request = urllib.request.Request(url, headers={"Accept": "application/json"})
    end = time.monotonic() + deadline
    try:
        with urllib.request.urlopen(request, timeout=deadline) as response:
            return response.status, response.headers, _read(response, end)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.headers, _read(refusal, end)


def _read(response: Any, end: float) -> bytes:
    """The body; nobody waits for what comes after the end, so no more of it is read."""
    pieces = []
    while piece := response.read1(65536):
        pieces.append(piece)
        if time.monotonic() > end:
            raise TimeoutError
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(pieces)


def _within(deadline: float, work: Callable[[], Any]) -> Any:
    """What the work brings, or a TimeoutError: the timeout of a socket begins anew with each piece that comes."""
    came: queue.SimpleQueue[tuple[Any, Exception | None]] = queue.SimpleQueue()

    def begin() -> None:
        try:
            came.put((work(), None))
        except Exception as error:
            came.put((None, error))

    threading.Thread(target=begin, daemon=True).start()
    try:
        answer, error = came.get(timeout=deadline)
    except queue.Empty:
        raise TimeoutError(f"no whole answer within {deadline} s") from None
    if error is not None:
        raise error
    return answer


def _wait(error: HeadwindError, tried: int) -> float | None:
    """Seconds before the next try; None: trying again cannot help."""
    guess = 0.25 * 2**tried
    if error.status not in (None, 429, 502, 503, 504):
        return None
    return guess if error.retry_after is None else error.retry_after


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, (list, tuple)) else str(value)


Label = Literal["Low", "Moderate", "High", "Very High"]


DataSource = Literal["exact", "route_any_airline", "no_data"]


ComponentKey = Literal["delay_rate", "cancel_rate", "congestion", "weather", "seasonality", "event_risk"]


class Stats(TypedDict):
    # Flights delayed more than 30 minutes, of those that arrived as planned or late; 2 decimals. [%]
    delay_rate_pct: float
    # Flights cancelled, of all scheduled; 2 decimals. [%]
    cancel_rate_pct: float
    # Average delay of the delayed flights alone; 0 when there is none; 1 decimal. [minutes]
    avg_delay_min: float
    # Flights of the history that were used. [flights]
    n_flights: int
    # n / (n + n0), n the airline's own flights on the route; 25 at most with `route_any_airline`, 0 with `no_data`. [%]
    confidence_pct: int
    # Congestion of the departure airport; 3 decimals. [share]
    congestion_dep: float
    # Congestion of the arrival airport; 3 decimals. [share]
    congestion_arr: float
    # The model's probability of a delay of more than 30 minutes; null without a model; 2 decimals. [%]
    ml_probability: float | None


class Component(TypedDict):
    key: ComponentKey
    # Display name of the factor.
    name: str
    # The factor on a scale of its own; 4 decimals. [share]
    value: float
    # The band of 100 × `value`.
    label: Label
    # Points of the final score, below 0 where the factor is better than for an average flight; with the model's part they add up to the score before rounding; 2 decimals. [points]
    contribution: float


class Weather(TypedDict):
    # Weather risk; 4 decimals. [share]
    score: float
    # The weather in words. Up to 16 days ahead it is the forecast; beyond, it begins with `Typical for`, the mean of the month there; `Unavailable` where neither is known, with the risk of typical weather.
    condition: str
    # Mean of the day; 1 decimal. [°C]
    temp: float | None
    # Wind of the worst hour; 1 decimal. [km/h]
    wind: float | None
    # Precipitation of the worst hour; 1 decimal. [mm]
    precip: float | None


class Place(TypedDict):
    # Name of the airport.
    name: str
    # Its city.
    city: str
    # Its country.
    country: str


class NewsItem(TypedDict):
    # Title of the article or alert.
    title: str
    # One sentence on what it means for flights.
    summary: str
    # Name of the source.
    source: str
    # Link to the original.
    url: str
    # When it was published, ISO 8601 in UTC.
    published_at: str
    # How much it disrupts.
    impact: Literal["low", "medium", "high"]
    # What kind of event it is; `atc` is air traffic control.
    event_type: Literal["strike", "weather", "atc", "security", "technical", "general"]
    # How bad it is. [share]
    severity: float


class AirlineEntryRecord(TypedDict):
    # Its first month.
    first: str
    # Its last month.
    last: str


class AirlineEntry(TypedDict):
    # IATA code of the airline.
    airline: str
    # Its full name.
    airline_name: str
    # Its score on this route for a departure today, as of `/api/score`. [points]
    score: int
    # The band of `score`.
    label: Label
    # Flights of the record delayed more than 30 minutes; 4 decimals. [share]
    delay_rate: float
    # Flights of the airline on this route in the history. [flights]
    total_flights: int
    # How far its record carries; 4 decimals. [share]
    confidence: float
    # The months of its record on this route, null where they are not known: one that ends long ago may be of an airline that has left; with `include=record`.
    record: NotRequired[AirlineEntryRecord | None]


class CalendarDay(TypedDict):
    # The day, `YYYY-MM-DD`.
    date: str
    # 1 (Monday) to 7 (Sunday). [day of the week]
    weekday: int
    # The score of `/api/score` on that day; null, as the two below, where that would refuse the date. [points]
    score: int | None
    # The band of `score`.
    label: Label | None
    # The component that contributes most.
    top_factor: ComponentKey | None


class UsageEntry(TypedDict):
    # The year. [year]
    year: int
    # 1 to 12. [month of the year]
    month: int
    # Calls of that month. [calls]
    requests: int
    # The limit when the row was written. [calls]
    monthly_limit: int
    # Share of the limit that was used; 2 decimals. [%]
    usage_pct: float
    # When the row was written, ISO 8601 in UTC.
    logged_at: str
    # Always `historical`.
    period: Literal["historical"]


class ErrorBody(TypedDict):
    # What went wrong, as a code; there may be more of them.
    error: str
    # The same for people; its wording may change.
    message: str
    # The parameter at fault.
    param: NotRequired[str]
    # To quote in a report; comes with 500.
    request_id: NotRequired[str]
    # Of `/api/keys/validate` alone, for a key that is unknown or inactive.
    valid: NotRequired[Literal[False]]


class ScoreInput(TypedDict):
    # IATA code of the departure airport.
    origin: str
    # IATA code of the arrival airport.
    destination: str
    # IATA code of the airline.
    airline: str
    # Departure date at the origin.
    flight_date: str
    # Local departure time, `HH:MM`; present when it was given.
    dep_time: NotRequired[str]


class ScoreAirlineInfo(TypedDict):
    # Full name of the airline.
    name: str
    # Its country.
    country: str


class ScoreLineageMonths(TypedDict):
    # The oldest, `YYYY-MM`.
    first: str | None
    # The newest, `YYYY-MM`.
    last: str | None
    # How many there are. [months]
    count: int


class ScoreLineageRecord(TypedDict):
    # Its first month.
    first: str
    # Its last month.
    last: str


class ScoreLineageWeatherDep(TypedDict):
    # What the weather rests on.
    basis: str
    # Minutes since the forecast was fetched; null without one. [minutes]
    age_min: int | None


class ScoreLineageWeatherArr(TypedDict):
    # What the weather rests on.
    basis: str
    # Minutes since the forecast was fetched; null without one. [minutes]
    age_min: int | None


class ScoreLineageNews(TypedDict):
    # Minutes since it was fetched; null where it has no part in the score. [minutes]
    age_min: int | None


class ScoreLineageAirportStatus(TypedDict):
    # Minutes since it was fetched; null where it has no part in the score. [minutes]
    age_min: int | None


class ScoreLineage(TypedDict):
    # Version of the history, as in `X-Store-Version`.
    store_version: str
    # Months of flights in the history.
    months: ScoreLineageMonths
    # The record the answer rests on: the airline's on the route, or that of all airlines there; null without one.
    record: ScoreLineageRecord | None
    # The newest day of flights; null where the last month is known in sums only.
    last_flight_date: str | None
    # Newest month of the table that tells how late airlines and airports are now; null without one.
    levels_until: str | None
    # Version of the model; null where none has a part.
    model: str | None
    # Of the weather at the departure airport.
    weather_dep: ScoreLineageWeatherDep
    # Of the weather at the arrival airport.
    weather_arr: ScoreLineageWeatherArr
    # Of the general news feeds; null when they were never fetched.
    news: ScoreLineageNews
    # Of the FAA's airport status; null also when older than an hour, or not of the day of the flight.
    airport_status: ScoreLineageAirportStatus
    # From today at the origin to the flight; negative for the past. [days]
    horizon_days: int
    # Figures nothing is known of, in whose place stands what an average flight has.
    unknown: list[str]


class ScoreOutlook(TypedDict):
    # Arrives less than 15 minutes late, or early. [share]
    under_15: float
    # 15 to 30 minutes late, both included. [share]
    from_15_to_30: float
    # More than 30, up to 60 minutes late. [share]
    from_30_to_60: float
    # More than 60, up to 120 minutes late. [share]
    from_60_to_120: float
    # More than 120 minutes late. [share]
    over_120: float
    # Does not fly. [share]
    cancelled: float


class ScoreIntervalMlProbability(TypedDict):
    # Lower end. [%]
    low: float
    # Upper end. [%]
    high: float


class ScoreInterval(TypedDict):
    # The probability that it lies within. [share]
    level: float
    # Lower end of the score. [points]
    low: int
    # Upper end of the score. [points]
    high: int
    # The same of `ml_probability`; null without a model.
    ml_probability: ScoreIntervalMlProbability | None


class ScoreByHour(TypedDict):
    # Local hour of departure, 0 to 23. [hour of the day]
    hour: int
    # Score of a departure in that hour. [points]
    score: int
    # The band of `score`.
    label: Label


class ScoreBlend(TypedDict):
    # Share of the statistical score. [share]
    statistical_share: float
    # Share of the model's. [share]
    ml_share: float
    # Points of the statistics. [points]
    statistical_points: float
    # Points of the model. [points]
    ml_points: float
    # Both together. [points]
    score_before_rounding: float


class Score(TypedDict):
    # The risk, 0 (lowest) to 100 (highest). [points]
    score: int
    # The statistical score alone, before the model. [points]
    score_linear: int
    # The model's estimate; null when it is unavailable. [points]
    score_ml: int | None
    # Whether the model contributed to `score`.
    ml_available: bool
    # The band of `score`.
    label: Label
    # One sentence on the risk and its main cause; events in force go first.
    recommendation: str
    # The flight that was asked for.
    input: ScoreInput
    stats: Stats
    # The factors, highest contribution first.
    components: list[Component]
    # Weather at the departure airport on the day.
    weather_dep: Weather
    # Weather at the arrival airport on the day of arrival, that of `dep_time` or of a departure in the afternoon.
    weather_arr: Weather
    data_source: DataSource
    # Who recorded the flights; `bts` is the US Bureau of Transportation Statistics.
    data_provider: str
    # The airline for people.
    airline_info: ScoreAirlineInfo
    # The departure airport for people.
    origin_info: Place
    # The arrival airport for people.
    dest_info: Place
    # News that touch that airline's flight; present with `news=true`.
    news: NotRequired[list[NewsItem]]
    # What the answer rests on; with `include=lineage`.
    lineage: NotRequired[ScoreLineage]
    # Shares of flights by delay on arrival; they add up to 1. Null without a model.
    outlook: NotRequired[ScoreOutlook | None]
    # Where the score would lie, with probability `level`, were the delay record of such flights known for good. Null where the history holds nothing of route, airports and airline.
    interval: NotRequired[ScoreInterval | None]
    # A departure in each local hour; with `include=by_hour`.
    by_hour: NotRequired[list[ScoreByHour]]
    # How the two opinions make the score; with `include=blend`.
    blend: NotRequired[ScoreBlend]


class BatchResults1(TypedDict):
    # The flight as it was given.
    flight: str
    # The answer of `/api/score`; absent with `error`.
    result: Score


class BatchResults2(TypedDict):
    # The flight as it was given.
    flight: str
    # What `/api/score` would refuse it with; absent with `result`.
    error: ErrorBody


class Batch(TypedDict):
    # How many flights were asked for. [flights]
    count: int
    # One of each flight, in their order.
    results: list[BatchResults1 | BatchResults2]


class Calendar(TypedDict):
    # IATA code of the departure airport.
    origin: str
    # IATA code of the arrival airport.
    dest: str
    # IATA code of the airline.
    airline: str
    # The month, `YYYY-MM`.
    month: str
    data_source: DataSource
    # As in `stats` of `/api/score`. [%]
    confidence_pct: int
    # Every day of the month, in order.
    days: list[CalendarDay]


class Airlines(TypedDict):
    # IATA code of the departure airport.
    origin: str
    # IATA code of the arrival airport.
    dest: str
    # Every airline with history on the route, lowest score first, in code order among equals; empty when nobody in the history flew it.
    airlines: list[AirlineEntry]


class NewsMeta(TypedDict):
    # How many items `news` has. [items]
    count: int
    # True when they were there already, false when fetched for this call.
    cached: bool
    # When they were fetched last, ISO 8601 in UTC.
    fetched_at: str
    # How long they stay cached. [hours]
    cache_ttl_hours: int


class News(TypedDict):
    # IATA code of the departure airport.
    origin: str
    # IATA code of the arrival airport.
    dest: str
    # News of the last seven days about the airports, their countries, and the airlines of the route, newest first, 20 at most.
    news: list[NewsItem]
    # Where the list comes from.
    meta: NewsMeta


class Explanation(TypedDict):
    # IATA code of the departure airport.
    origin: str
    # IATA code of the arrival airport.
    destination: str
    # IATA code of the airline.
    airline: str
    # Departure date at the origin.
    date: str
    # The score of `/api/score`. [points]
    score: int
    # The band of `score`.
    label: Label
    # The record, weather, congestion, season and confidence in a few sentences.
    explanation: str


class ModelFeatures(TypedDict):
    # Its name.
    name: str
    # Its unit.
    unit: str
    # What it is.
    what: str


class ModelTrainedOnCoverage(TypedDict):
    # Of the flights, `YYYY-MM`.
    first_month: str
    # Of the flights, `YYYY-MM`.
    last_month: str
    # How many. [flights]
    flights: int
    # Airports they leave from or arrive at. [airports]
    airports: int
    # Airlines that fly them. [airlines]
    airlines: int
    # From one airport to another. [routes]
    routes: int


class ModelTrainedOn(TypedDict):
    # Months, `YYYY-MM`.
    months: list[str]
    # Rows. [rows]
    rows: int
    # Digest of the data.
    data_sha256: str
    # The flights it learned from one by one; older months are in the effects alone.
    coverage: ModelTrainedOnCoverage | None


class ModelScoreReliabilityCoverage(TypedDict):
    # Airports they leave from or arrive at. [airports]
    airports: int
    # Airlines that fly them. [airlines]
    airlines: int
    # From one airport to another. [routes]
    routes: int


class ModelScoreReliabilityBands(TypedDict):
    # The band of their score.
    label: Label
    # How many. [flights]
    flights: int
    # Their share of all. [share]
    share: float
    # Share of them delayed or cancelled; null without any. [share]
    disrupted: float | None


ModelScoreReliabilityTenths = TypedDict(
    "ModelScoreReliabilityTenths",
    {
    # Lowest score. [points]
    "from": int,
    # Highest score. [points]
    "to": int,
    # How many. [flights]
    "flights": int,
    # Their share of all. [share]
    "share": float,
    # Share of them delayed or cancelled; null without any. [share]
    "disrupted": float | None,
    },
)


class ModelScoreReliabilityByConfidenceBands(TypedDict):
    # The band of their score.
    label: Label
    # How many. [flights]
    flights: int
    # Their share of all. [share]
    share: float
    # Share of them delayed or cancelled; null without any. [share]
    disrupted: float | None


ModelScoreReliabilityByConfidence = TypedDict(
    "ModelScoreReliabilityByConfidence",
    {
    # Lowest `confidence_pct`. [%]
    "from": int,
    # Highest `confidence_pct`. [%]
    "to": int,
    # By band.
    "bands": list[ModelScoreReliabilityByConfidenceBands],
    },
)


class ModelScoreReliabilityByMonthBands(TypedDict):
    # The band of their score.
    label: Label
    # How many. [flights]
    flights: int
    # Their share of all. [share]
    share: float
    # Share of them delayed or cancelled; null without any. [share]
    disrupted: float | None


class ModelScoreReliabilityByMonth(TypedDict):
    # `YYYY-MM`.
    month: str
    # How many. [flights]
    flights: int
    # Share of them delayed or cancelled; null without any. [share]
    disrupted: float | None
    # By band.
    bands: list[ModelScoreReliabilityByMonthBands]


class ModelScoreReliability(TypedDict):
    # What the flights were scored without.
    note: str
    # The months they are of, `YYYY-MM`.
    months: list[str]
    # How many. [flights]
    flights: int
    # What the flights are of: figures of other airports and airlines there are none.
    coverage: ModelScoreReliabilityCoverage | None
    # Share of them delayed or cancelled; null without any. [share]
    disrupted: float | None
    # By band.
    bands: list[ModelScoreReliabilityBands]
    # By tenth of the scale.
    tenths: list[ModelScoreReliabilityTenths]
    # By confidence, below 50 and from there on.
    by_confidence: list[ModelScoreReliabilityByConfidence]
    # By month of the flights; null for a model whose training did not report it.
    by_month: list[ModelScoreReliabilityByMonth] | None


class ModelOutlookShares(TypedDict):
    # Of flights up to 30 minutes late: less than 15. [share]
    under_15: float
    # Of the same: 15 to 30. [share]
    from_15_to_30: float
    # Of flights more than 30 minutes late: up to 60. [share]
    from_30_to_60: float
    # Of the same: up to 120. [share]
    from_60_to_120: float
    # Of the same: more than 120. [share]
    over_120: float


class Model(TypedDict):
    # First 12 characters of the SHA-256 of the model file.
    version: str
    # Digest of the ordered names of the features.
    contract: str
    # What the model knows of a flight, in its order.
    features: list[ModelFeatures]
    # What it was made from.
    trained_on: ModelTrainedOn
    # Of the random numbers of its training.
    seed: int
    # Of the code that trained it.
    code_version: str
    # When it was trained; null where that is not known.
    created_at: str | None
    # As the training reported them, on flights of months the model had not seen. Events in force change `ml_probability` after the model, so no figure here is about them.
    metrics: dict[str, Any]
    # What became of flights by the score they would have had; null for a model whose training did not report it.
    score_reliability: ModelScoreReliability | None
    # How delays spread.
    outlook_shares: ModelOutlookShares


class ValidKey(TypedDict):
    # True; a key that is unknown or inactive gets 401.
    valid: Literal[True]
    # The first 14 characters of the key; safe to show and log.
    prefix: str
    # Label of the key.
    name: str
    # Calls per calendar month. [calls]
    monthly_limit: int
    # Calls that count so far this month. [calls]
    month_count: int
    # Calls of all time. [calls]
    total_requests: int
    # When the key was made, ISO 8601 in UTC.
    created_at: str
    # `month_count` under another name. [calls]
    requests_this_month: int


class KeyUsageCurrentMonth(TypedDict):
    # The year. [year]
    year: int
    # 1 to 12. [month of the year]
    month: int
    # Calls that count so far this month. [calls]
    requests: int
    # Calls per calendar month. [calls]
    monthly_limit: int
    # Always `current`.
    period: Literal["current"]


class KeyUsage(TypedDict):
    # The first 14 characters of the key; safe to show and log.
    key_prefix: str
    # Label of the key.
    name: str
    # The month under way, in UTC.
    current_month: KeyUsageCurrentMonth
    # Finished months since the key existed, those without calls too, newest first.
    history: list[UsageEntry]
    # Calls of all time. [calls]
    total_requests_all_time: int


class CreatedKey(TypedDict):
    # The key itself; this answer is the only one that shows it.
    api_key: str
    # The first 14 characters of the key; safe to show and log.
    prefix: str
    # Calls per calendar month. [calls]
    monthly_limit: int
    # A reminder to save the key.
    message: str


class HealthComponents(TypedDict):
    # This process.
    api: str
    # The score store and Redis together.
    database: str
    # The model; without it scores rest on statistics alone.
    ml_model: str
    # Which part of the history is too old.
    history: str


class HealthHistory(TypedDict):
    # Newest month of flights, `YYYY-MM`.
    flights_until: str | None
    # Newest month of the table that tells how late airlines and airports are now; null without one.
    levels_until: str | None


class HealthNews(TypedDict):
    # When the general feeds were fetched last, ISO 8601 in UTC; null: never.
    fetched_at: str | None


class Health(TypedDict):
    # `ok`; `degraded` while answers lack a part; `error`, with HTTP 503, while calls with a key cannot be answered.
    status: str
    # Of the answer, ISO 8601 in UTC.
    time: str
    # Each part by name; `ok` when healthy.
    components: HealthComponents
    # The newest months that answers rest on.
    history: HealthHistory
    # The news behind `event_risk`; without them it rests on holidays and, where there is one, the airport status.
    news: HealthNews


class Headwind(Caller):
    """Every try has a deadline; what is refused for the moment is tried again, but the making of keys."""

    def score(self, *, origin: str, dest: str, airline: str, date: str, dep_time: str | None = None, news: bool | None = None, include: list[Literal["lineage", "outlook", "interval", "by_hour", "blend"]] | None = None) -> Score:
        """The delay risk of one flight."""
        return self._call("/api/score", {"origin": origin, "dest": dest, "airline": airline, "date": date, "dep_time": dep_time, "news": news, "include": include})

    def score_batch(self, *, flights: list[str]) -> Batch:
        """Up to 50 flights in one call."""
        return self._call("/api/score/batch", {"flights": flights})

    def calendar(self, *, origin: str, dest: str, airline: str, month: str, dep_time: str | None = None) -> Calendar:
        """One flight on every day of a month."""
        return self._call("/api/calendar", {"origin": origin, "dest": dest, "airline": airline, "dep_time": dep_time, "month": month})

    def airlines(self, *, origin: str, dest: str, include: list[Literal["record"]] | None = None) -> Airlines:
        """The airlines of a route, lowest risk first."""
        return self._call("/api/airlines", {"origin": origin, "dest": dest, "include": include})

    def news(self, *, origin: str, dest: str, refresh: bool | None = None) -> News:
        """What may disrupt flights on a route."""
        return self._call("/api/news", {"origin": origin, "dest": dest, "refresh": refresh})

    def explain(self, *, origin: str, dest: str, airline: str, date: str, dep_time: str | None = None) -> Explanation:
        """The score of a flight in words: announced, 501 where it is not switched on."""
        return self._call("/api/explain", {"origin": origin, "dest": dest, "airline": airline, "date": date, "dep_time": dep_time})

    def model(self) -> Model:
        """The card of the model that scores."""
        return self._call("/api/model", {})

    def keys_validate(self) -> ValidKey:
        """Whether a key works, and where its month stands."""
        return self._call("/api/keys/validate", {})

    def keys_usage(self, *, year: int | None = None, month: int | None = None) -> KeyUsage:
        """The month under way and the finished ones."""
        return self._call("/api/keys/usage", {"year": year, "month": month})

    def keys_create(self, *, name: str, email: str, monthly_limit: int | None = None) -> CreatedKey:
        """Makes a key."""
        return self._call("/api/keys/create", {"name": name, "email": email, "monthly_limit": monthly_limit}, once=True)

    def health(self) -> Health:
        """Whether calls with a key can be answered."""
        return self._call("/api/health", {}, accepted=(200, 503))
