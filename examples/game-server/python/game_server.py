"""What a game's server does with Earshot: lets players into voice, sends what they do, and hears what moderators decide.

    pip install standardwebhooks
    EARSHOT_URL=… EARSHOT_PROJECT=… EARSHOT_API_KEY=… EARSHOT_WEBHOOK_SECRET=whsec_… PORT=3000 python game_server.py

The key needs the scopes tokens, sanctions:read and gameplay; `earshot webhooks create` shows the secret once.
Lines on standard input stand for the game: `join ann`, `kill ann`.
"""
import json
import os
import queue
import sys
import threading
import time
import uuid
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

from standardwebhooks import Webhook, WebhookVerificationError

URL, PROJECT = os.environ["EARSHOT_URL"], os.environ["EARSHOT_PROJECT"]
HEADERS = {"X-API-Key": os.environ["EARSHOT_API_KEY"], "X-Project-Id": PROJECT, "Content-Type": "application/json"}
UNANSWERED = (OSError, HTTPException, ValueError)  # no connection, or one that is cut in the middle of an answer
BODY_BYTES_MAX = 1024 * 1024
BATCH_MAX = 100
webhook = Webhook(os.environ["EARSHOT_WEBHOOK_SECRET"])
events: queue.Queue = queue.Queue(maxsize=10_000)
handled: set[str] = set()  # a delivery may come twice, under the same id; a game keeps these in its database


def call(method: str, path: str, body: object = None, key: str = ""):
    data = None if body is None else json.dumps(body).encode()
    headers = HEADERS | ({"Idempotency-Key": key} if key else {})
    request = Request(URL + path, data, headers, method=method)
    with urlopen(request, timeout=10) as response:
        return json.load(response)


def join(player: str) -> str:
    """Lets a player into the lobby, unless a ban is in force."""
    for sanction in call("GET", f"/api/projects/{PROJECT}/sanctions/user/{quote(player, safe='')}/active"):
        if sanction["type"] in ("temp_ban", "perm_ban"):
            return f"{player} is banned: {sanction['reason']}"
    access = call("POST", f"/api/projects/{PROJECT}/token", {"roomId": "lobby", "userId": player})
    return f"{player} may join {access['url']} {access['token']}"


def send_events() -> None:
    """Sends what has gathered once a second."""
    while True:
        batch = [events.get()]
        time.sleep(1)
        while len(batch) < BATCH_MAX and not events.empty():
            batch.append(events.get())
        send(batch, key=str(uuid.uuid4()))


def send(batch: list, key: str) -> None:
    """Sends a batch until the daemon has a result for each event, whatever a proxy says meanwhile. Sent again, it has the
    same key, so it counts once."""
    wait = 1.0
    while True:
        try:
            results = call("POST", "/api/v1/events/batch", {"events": batch}, key)["results"]
            print("batch of", len(batch), [result["status"] for result in results], flush=True)
            for event, result in zip(batch, results, strict=True):
                if result["status"] != 200:  # the daemon will never take this one
                    print("refused", event, result["code"], result["details"], flush=True)
            return
        except HTTPError as error:
            print("batch of", len(batch), error.code, error.read().decode(errors="replace"), flush=True)  # says what to do
            asked = error.headers.get("Retry-After", "")
            wait = max(wait, float(asked)) if asked.isdecimal() else wait
        except (*UNANSWERED, KeyError, TypeError) as error:  # no answer, or one that is not the daemon's
            print("batch of", len(batch), repr(error), flush=True)
        time.sleep(min(wait, 60))
        wait = min(2 * wait, 60)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), BODY_BYTES_MAX))
        try:
            event = webhook.verify(body, dict(self.headers))  # over the body as it came
            if event["id"] not in handled:
                handled.add(event["id"])
                print(event["type"], event["resourceId"], flush=True)
            self.send_response(204)
        except WebhookVerificationError:
            self.send_response(400)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


receiver = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver)
for work in (receiver.serve_forever, send_events):
    threading.Thread(target=work, daemon=True).start()
for line in sys.stdin:
    action, player = line.split()
    if action == "join":
        try:
            print(join(player), flush=True)
        except UNANSWERED as error:
            print(error, flush=True)
    elif action == "kill":
        events.put({"user_id": player, "event_name": "kill-enemy", "meta_data": {"amount": 1}})
