"""Writes German words, which Debian's ktuberling-data has one by one, as one recording at 16 kHz: FOLDER OUT WORD..."""

import sys

import numpy
import soundfile

folder, out, *names = sys.argv[1:]
RATE = 16_000
pause = numpy.zeros(int(0.3 * RATE))
pieces = []
for name in names:
    sound, rate = soundfile.read(f"{folder}/{name}.ogg", always_2d=True)
    mono = sound.mean(1)
    pieces += [numpy.interp(numpy.arange(0, len(mono) / rate, 1 / RATE), numpy.arange(len(mono)) / rate, mono), pause]
soundfile.write(out, numpy.concatenate(pieces), RATE, subtype="PCM_16")
