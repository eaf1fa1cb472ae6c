/** Error for a file that is not a PCM WAV file. In a file of its own, so that importing it loads nothing more. */
export class UnusableRecording extends Error {
  override name = 'UnusableRecording';
}
