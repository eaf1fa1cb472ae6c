"""Speaks a WAV file in a voice room and writes what it hears to WAV files, as a native game does with a microphone and
loudspeakers. It says when a moderator mutes it, and comes back after a loss of the network.

    pip install -r requirements.txt
    EARSHOT_ROOM=http://127.0.0.1:8080/rooms/demo EARSHOT_ROOM_TOKEN=… python native.py speak.wav heard

Lines on standard input stand for what happens in the game: `talk off`, `talk on` (push to talk), `volume bob 0.25`
(bob is far away).
"""
import array
import asyncio
import json
import os
import signal
import sys
import threading
import time
import wave
from fractions import Fraction

import aiohttp
from aiortc import MediaStreamTrack, RTCPeerConnection, RTCSessionDescription
from aiortc.mediastreams import MediaStreamError
from av import AudioFrame

LINES = 2  # how many people are heard at the same time; a room offers up to eight lines
HEARD_RATE = 48_000


class Refused(Exception):
    """The person may not be in the room: coming back with the same token is of no use."""


class Lost(Exception):
    """Coming back helps."""


class Mouth(MediaStreamTrack):
    """Speaks a file again and again, in place of a microphone."""

    kind = "audio"

    def __init__(self, path: str) -> None:
        super().__init__()
        with wave.open(path, "rb") as file:
            if (file.getsampwidth(), file.getnchannels()) != (2, 1):
                raise SystemExit(f"{path} must be PCM of 16 bits, mono.")
            self.rate, self.pcm = file.getframerate(), file.readframes(file.getnframes())
        self.samples = self.rate // 50  # 20 ms: one frame a packet
        self.position, self.timestamp, self.due = 0, 0, time.monotonic()

    async def recv(self) -> AudioFrame:
        self.due = max(self.due + 0.02, time.monotonic() - 0.1)  # no burst after a pause
        await asyncio.sleep(max(0, self.due - time.monotonic()))
        size = 2 * self.samples
        if self.position + size > len(self.pcm):
            self.position = 0
        frame = AudioFrame(format="s16", layout="mono", samples=self.samples)
        frame.planes[0].update(self.pcm[self.position : self.position + size])
        frame.sample_rate, frame.time_base, frame.pts = self.rate, Fraction(1, self.rate), self.timestamp
        self.position += size
        self.timestamp += self.samples
        return frame


class Ears:
    """Writes each line of the call to a file, in place of loudspeakers."""

    def __init__(self, prefix: str) -> None:
        self.speakers: list[str | None] = [None] * LINES  # the room puts whoever speaks onto a free line
        self.volumes: dict[str, float] = {}
        self.files = []
        for line in range(LINES):
            file = wave.open(f"{prefix}-{line}.wav", "wb")
            file.setparams((2, 2, HEARD_RATE, 0, "NONE", ""))
            self.files.append(file)

    async def hear(self, track: MediaStreamTrack, line: int) -> None:
        try:
            while True:
                frame = await track.recv()
                sound = array.array("h", bytes(frame.planes[0])[: 4 * frame.samples])
                volume = self.volumes.get(self.speakers[line] or "", 1)  # as loud as the speaker is near
                if volume < 1:
                    sound = array.array("h", (int(sample * volume) for sample in sound))
                self.files[line].writeframesraw(sound.tobytes())
        except MediaStreamError:
            pass  # the line has ended

    def close(self) -> None:
        for file in self.files:
            file.close()


class Player:
    def __init__(self, room: str, token: str, mouth: Mouth, ears: Ears) -> None:
        self.room, self.mouth, self.ears = room, mouth, ears
        self.headers = {"Authorization": f"Bearer {token}"}
        self.talking, self.muted = True, False
        self.sender = None

    async def visit(self) -> None:
        """Is in the room until something is lost. Raises Refused, Lost."""
        lost = asyncio.get_running_loop().create_future()
        async with aiohttp.ClientSession(headers=self.headers) as http:
            events = await self.open(http.get(f"{self.room}/events", timeout=aiohttp.ClientTimeout(total=None)), 200)
            following = asyncio.create_task(self.follow(events))
            listener, speaker = RTCPeerConnection(), RTCPeerConnection()
            locations: list[str] = []
            try:
                for _ in range(LINES):
                    listener.addTransceiver("audio", direction="recvonly")
                listener.on("track", lambda track: self.attach(listener, track))
                self.sender = speaker.addTransceiver(self.mouth, direction="sendonly").sender
                self.apply()
                for kind, peer in (("whep", listener), ("whip", speaker)):
                    peer.on("connectionstatechange", lambda peer=peer: fail(lost, peer))
                    locations.append(await self.join(http, kind, peer))
                print("in the room", flush=True)
                done, _ = await asyncio.wait({following, lost}, return_when=asyncio.FIRST_COMPLETED)
                done.pop().result()
            finally:
                following.cancel()
                for location in locations:
                    await http.delete(location)
                await asyncio.gather(listener.close(), speaker.close())

    async def join(self, http: aiohttp.ClientSession, kind: str, peer: RTCPeerConnection) -> str:
        """Sends the offer of the peer (WHIP, WHEP) and takes the answer. Returns the address that DELETE ends."""
        await peer.setLocalDescription(await peer.createOffer())  # with all candidates: there is no trickle ICE
        headers = {"Content-Type": "application/sdp"}
        post = http.post(f"{self.room}/{kind}", data=peer.localDescription.sdp, headers=headers)
        async with await self.open(post, 201) as response:
            await peer.setRemoteDescription(RTCSessionDescription(await response.text(), "answer"))
            return str(response.url.join(type(response.url)(response.headers["Location"])))

    async def open(self, request, status: int) -> aiohttp.ClientResponse:
        """Returns the answer. Throttling and faults (429, 5xx) pass; other refusals do not."""
        try:
            response = await request
        except aiohttp.ClientError as error:
            raise Lost(error) from error
        if response.status == status:
            return response
        async with response:
            problem = (await response.json()).get("message") if "json" in response.content_type else response.reason
        raise (Lost if response.status == 429 or response.status >= 500 else Refused)(problem)

    def attach(self, listener: RTCPeerConnection, track: MediaStreamTrack) -> None:
        for line, transceiver in enumerate(listener.getTransceivers()):
            if transceiver.receiver.track is track:
                asyncio.ensure_future(self.ears.hear(track, line))

    async def follow(self, events: aiohttp.ClientResponse) -> None:
        try:
            async for line in events.content:
                if line.startswith(b"data: "):
                    self.show(json.loads(line[6:]))
        except aiohttp.ClientError as error:
            raise Lost(error) from error
        raise Lost("the event stream ended")

    def show(self, event: dict) -> None:
        """Says what a game would draw."""
        kind = event["type"]
        if kind == "room.state":
            for slot in event["slots"]:
                self.ears.speakers[slot["slot"]] = slot["speaker"]
        elif kind == "room.peer":
            print(event["person"]["externalUserId"], event["change"], flush=True)
        elif kind == "room.slot":
            self.ears.speakers[event["slot"]] = event["speaker"]
            if event["speaker"] is not None:
                print(f"line {event['slot']}: {event['speaker']}", flush=True)
        elif kind == "room.muted":  # the room drops the sound of somebody who is muted; not sending it saves the network
            self.muted = event["muted"]
            self.apply()
            print(f"muted: {event['reason']}" if self.muted else "no longer muted", flush=True)
        elif kind == "room.warned":
            print(f"warned: {event['reason']}", flush=True)
        elif kind == "room.closed" or kind == "room.removed" and event["resourceId"] is None:
            raise (Lost if event["rejoin"] else Refused)(event.get("message", event["reason"]))

    def apply(self) -> None:
        if self.sender is not None:
            self.sender.replaceTrack(self.mouth if self.talking and not self.muted else None)

    def obey(self, line: str) -> None:
        match line.split():
            case ["talk", word]:
                self.talking = word == "on"
                self.apply()
            case ["volume", speaker, volume]:
                self.ears.volumes[speaker] = float(volume)


def fail(lost: asyncio.Future, peer: RTCPeerConnection) -> None:
    if peer.connectionState == "failed" and not lost.done():
        lost.set_exception(Lost("the connection failed"))


async def play(player: Player) -> None:
    """Comes back after every loss."""
    wait = 0.25
    while True:
        began = time.monotonic()
        try:
            await player.visit()
        except Lost as error:
            print(f"lost ({error}), coming back", flush=True)
        wait = 0.25 if time.monotonic() - began > 60 else min(2 * wait, 5)
        await asyncio.sleep(wait)


def read_lines(loop: asyncio.AbstractEventLoop, player: Player) -> None:
    for line in sys.stdin:
        loop.call_soon_threadsafe(player.obey, line)


async def main() -> int:
    speak, heard = sys.argv[1:]
    ears = Ears(heard)
    player = Player(os.environ["EARSHOT_ROOM"], os.environ["EARSHOT_ROOM_TOKEN"], Mouth(speak), ears)
    loop, playing = asyncio.get_running_loop(), asyncio.create_task(play(player))
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, playing.cancel)
    threading.Thread(target=read_lines, args=(loop, player), daemon=True).start()
    try:
        await playing
    except Refused as error:
        print(f"refused: {error}", flush=True)
        return 1
    except asyncio.CancelledError:
        print("left", flush=True)
    finally:
        ears.close()
    return 0


sys.exit(asyncio.run(main()))
