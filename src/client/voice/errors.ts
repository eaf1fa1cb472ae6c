/** Not a WAV file of PCM. Apart from what reads such files, so that whoever only names the error loads nothing more. */
export class UnusableRecording extends Error {
  override name = 'UnusableRecording';
}
