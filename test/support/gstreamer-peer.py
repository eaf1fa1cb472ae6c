"""A speaker and a listener by GStreamer's webrtcbin, whose ICE is libnice: `URL SPEAKER_TOKEN LISTENER_TOKEN`.

Prints `heard` once a second of the speaker's sound has reached the listener, and ends.
"""
import sys
import urllib.request

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC

PACKETS_OF_A_SECOND = 50
CAPS = "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,encoding-params=(string)2,payload=96"

url, speaker_token, listener_token = sys.argv[1:]
Gst.init(None)
loop = GLib.MainLoop()
heard = 0


def join(webrtc, kind, token):
    """Offers once all candidates are known: there is no trickle ICE."""
    posted = False

    def post(*_):
        nonlocal posted
        if posted or webrtc.get_property("ice-gathering-state") != GstWebRTC.WebRTCICEGatheringState.COMPLETE:
            return
        posted = True
        description = webrtc.get_property("local-description")
        offer = description.sdp.as_text()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/sdp"}
        request = urllib.request.Request(f"{url}/{kind}", offer.encode(), headers)
        with urllib.request.urlopen(request) as response:
            text = response.read().decode()
        _, sdp = GstSdp.SDPMessage.new_from_text(text)
        answer = GstWebRTC.WebRTCSessionDescription.new(GstWebRTC.WebRTCSDPType.ANSWER, sdp)
        webrtc.emit("set-remote-description", answer, Gst.Promise.new())

    def offered(promise, *_):
        promise.wait()
        reply = promise.get_reply()  # what it holds is freed with it
        offer = reply["offer"]
        webrtc.emit("set-local-description", offer, Gst.Promise.new())

    webrtc.connect("notify::ice-gathering-state", lambda *_: GLib.idle_add(post))
    webrtc.emit("create-offer", None, Gst.Promise.new_with_change_func(offered, None, None))


def count(*_):
    global heard
    heard += 1
    if heard == PACKETS_OF_A_SECOND:
        print("heard", flush=True)
        GLib.idle_add(loop.quit)
    return Gst.PadProbeReturn.OK


def receive(_, pad):
    sink = Gst.ElementFactory.make("fakesink")
    listener.add(sink)
    sink.sync_state_with_parent()
    pad.link(sink.get_static_pad("sink"))
    pad.add_probe(Gst.PadProbeType.BUFFER, count)


listener = Gst.Pipeline.new("listener")
ears = Gst.ElementFactory.make("webrtcbin")
ears.set_property("bundle-policy", GstWebRTC.WebRTCBundlePolicy.MAX_BUNDLE)
listener.add(ears)
ears.connect("pad-added", receive)
listener.set_state(Gst.State.PLAYING)
ears.emit("add-transceiver", GstWebRTC.WebRTCRTPTransceiverDirection.RECVONLY, Gst.Caps.from_string(CAPS))
join(ears, "whep", listener_token)

speaker = Gst.parse_launch(
    f"audiotestsrc is-live=true ! audioconvert ! opusenc ! rtpopuspay ! {CAPS} ! webrtcbin name=mouth bundle-policy=max-bundle"
)
speaker.set_state(Gst.State.PLAYING)
mouth = speaker.get_by_name("mouth")
mouth.connect("on-negotiation-needed", lambda *_: GLib.idle_add(join, mouth, "whip", speaker_token))

GLib.timeout_add_seconds(30, loop.quit)
loop.run()
sys.exit(0 if heard >= PACKETS_OF_A_SECOND else f"{heard} packets of {PACKETS_OF_A_SECOND} came through")
