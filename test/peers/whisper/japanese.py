"""Writes a Japanese sentence, spoken by Open JTalk's voice Mei, as a recording at 16 kHz: TEXT OUT"""

import sys
from unittest.mock import MagicMock

import numpy
import soundfile

# The package looks there for readings that depend on a sentence; this one has none, and the dictionary is large.
sys.modules["sudachipy"] = MagicMock()
import pyopenjtalk  # noqa: E402

RATE = 16_000
text, out = sys.argv[1:]
sound, rate = pyopenjtalk.synthesize(pyopenjtalk.make_label(pyopenjtalk.run_frontend(text)))
places = numpy.arange(0, len(sound) / rate, 1 / RATE)
sound = numpy.interp(places, numpy.arange(len(sound)) / rate, sound) / 32_768
soundfile.write(out, sound, RATE, subtype="PCM_16")
