import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
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
        request = urllib.request.Request(url, headers={"Accept": "application/json"})
        try:
            try:
                with urllib.request.urlopen(request, timeout=self._deadline) as response:
                    status, headers, data = response.status, response.headers, response.read()
            except urllib.error.HTTPError as refusal:
                status, headers, data = refusal.code, refusal.headers, refusal.read()
        except (OSError, http.client.HTTPException) as error:
            raise HeadwindError(None, {}, {}) from error
        try:
            body = json.loads(data)
        except ValueError:
            body = None
        if not isinstance(body, dict) or status not in accepted:
            raise HeadwindError(status, headers, body if isinstance(body, dict) else {})
        return body


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
