/** How loud a speaker is, from the packets without decoding them (they may be end-to-end encrypted). */

/** Quieter than this, in -dBov, does not count as a voice. */
const voiceLevel = 60;
/** Silence in variable bit rate is smaller than this; for senders that do not state their level. */
const voiceBytes = 12;
/** Loudness assumed of a voice whose level is unknown. */
const unknownLoudness = 0.6;
/** Weight of the newest packet: about 200 ms to settle at 50 packets a second. */
const smoothing = 0.1;

export const isVoiced = (audioLevel: number | null, payloadBytes: number): boolean =>
  audioLevel === null ? payloadBytes > voiceBytes : audioLevel <= voiceLevel;

export class Loudness {
  private smoothed = 0;

  observe(audioLevel: number | null, payloadBytes: number): { voiced: boolean; loudness: number } {
    const voiced = isVoiced(audioLevel, payloadBytes);
    const current = audioLevel === null ? (voiced ? unknownLoudness : 0) : 1 - audioLevel / 127;
    this.smoothed += (current - this.smoothed) * smoothing;
    return { voiced, loudness: this.smoothed };
  }
}
