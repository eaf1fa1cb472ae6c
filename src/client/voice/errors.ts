/** Not a WAV file of PCM. In a file of its own, so that importing the error loads nothing more. */
export class UnusableRecording extends Error {
  override name = 'UnusableRecording';
}
