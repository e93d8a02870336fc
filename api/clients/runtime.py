import http.client
import json
import queue
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any, Literal, NotRequired, TypedDict


class HeadwindError(Exception):
    """A failed call: an error response, or no response.

    `status` is the HTTP status, None without a response. `code` is an error code from the documentation;
    `invalid_response` if the response did not come from this service; `no_response` if no response came in time
    (`__cause__` has the reason). `param` is the invalid parameter, `request_id` the id to quote in a report, and
    `retry_after` the seconds to wait.
    """

    def __init__(self, status: int | None, headers: Any, body: dict[str, Any]) -> None:
        fallback = "No response" if status is None else f"HTTP {status} without a message"
        super().__init__(body.get("message") or fallback)
        self.status = status
        self.code: str = body.get("error") or ("no_response" if status is None else "invalid_response")
        self.param: str | None = body.get("param")
        self.request_id: str | None = headers.get("X-Request-Id")
        text = headers.get("Retry-After")
        self.retry_after = int(text) if text is not None and text.isdigit() else None


class Caller:
    """Calls endpoints and retries temporary failures."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        deadline: float = 10.0,
        retries: int = 2,
        patience: float = 10.0,
        on_signed: Callable[[str, bytes, str], None] | None = None,
    ) -> None:
        """`deadline` limits one try, `patience` the wait before a retry; both in seconds.

        `on_signed` is called with address (without the key), exact body and `X-Signature` of each signed answer.
        """
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._deadline = deadline
        self._retries = retries
        self._patience = patience
        self._on_signed = on_signed

    def _call(
        self,
        path: str,
        params: dict[str, Any],
        accepted: tuple[int, ...] = (200,),
        once: bool = False,
        method: str = "GET",
    ) -> Any:
        inside = {name: value for name, value in params.items() if f"{{{name}}}" in path}
        for name, value in inside.items():
            path = path.replace(f"{{{name}}}", urllib.parse.quote(_text(value), safe=""))
        values = {name: value for name, value in params.items() if name not in inside}
        values["api_key"] = self._api_key
        query = urllib.parse.urlencode({name: _text(value) for name, value in values.items() if value is not None})
        url = f"{self._base_url}{path}?{query}"
        retries = 0 if once else self._retries
        for attempt in range(retries + 1):
            try:
                return self._try(url, accepted, method)
            except HeadwindError as error:
                wait = _wait(error, attempt)
                if attempt == retries or wait is None or wait > self._patience:
                    raise
                time.sleep(wait)

    def _try(self, url: str, accepted: tuple[int, ...], method: str) -> Any:
        try:
            status, headers, data = _with_deadline(self._deadline, lambda: _send(url, self._deadline, method))
        except (OSError, http.client.HTTPException) as error:
            raise HeadwindError(None, {}, {}) from error
        try:
            body = json.loads(data)
        except ValueError:
            body = None
        if not isinstance(body, dict) or status not in accepted:
            raise HeadwindError(status, headers, body if isinstance(body, dict) else {})
        signature = headers.get("X-Signature")
        if signature is not None and self._on_signed is not None:
            self._on_signed(re.sub(r"&?api_key=[^&]*", "", url), data, signature)
        return body


def _send(url: str, deadline: float, method: str) -> tuple[int, Any, bytes]:
    request = urllib.request.Request(url, headers={"Accept": "application/json"}, method=method)
    end = time.monotonic() + deadline
    try:
        with urllib.request.urlopen(request, timeout=deadline) as response:
            return response.status, response.headers, _read(response, end)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.headers, _read(refusal, end)


def _read(response: Any, end: float) -> bytes:
    """Returns the body. Stops at the deadline, because the caller has stopped waiting by then."""
    pieces = []
    while piece := response.read1(65536):
        pieces.append(piece)
        if time.monotonic() > end:
            raise TimeoutError
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(pieces)


def _with_deadline(deadline: float, work: Callable[[], Any]) -> Any:
    """Returns the result of the work, or raises TimeoutError. A socket's own timeout restarts with each piece of data."""
    results: queue.SimpleQueue[tuple[Any, Exception | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            results.put((work(), None))
        except Exception as error:
            results.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        answer, error = results.get(timeout=deadline)
    except queue.Empty:
        raise TimeoutError(f"no complete response within {deadline} s") from None
    if error is not None:
        raise error
    return answer


def _wait(error: HeadwindError, attempt: int) -> float | None:
    """Returns the seconds before the next try, or None if a retry cannot help."""
    backoff = 0.25 * 2**attempt
    if error.status not in (None, 429, 502, 503, 504):
        return None
    return backoff if error.retry_after is None else error.retry_after


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, (list, tuple)) else str(value)
