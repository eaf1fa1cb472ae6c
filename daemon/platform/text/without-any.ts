/** Removes pieces from a text in one pass, the longest first: where one is a part of another, nothing of the other stays. */

const special = /[\\^$.*+?()[\]{}|/-]/g;

export function withoutAny(text: string, pieces: readonly string[], replacement: string): string {
  const longest = pieces.filter((piece) => piece !== '').sort((a, b) => b.length - a.length);
  if (longest.length === 0) return text;
  const any = new RegExp(longest.map((piece) => piece.replace(special, '\\$&')).join('|'), 'g');
  return text.replace(any, () => replacement);
}
