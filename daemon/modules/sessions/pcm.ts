/** Samples of all pieces, one after the other. */
export function joinedPcm(pieces: readonly Int16Array[]): Int16Array<ArrayBuffer> {
  const pcm = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    pcm.set(piece, at);
    at += piece.length;
  }
  return pcm;
}
