/** Words for "until it is revoked", in commands and in files; an empty answer or cell is none of them. */
export const foreverWord = 'forever';
export const foreverWords: ReadonlySet<string> = new Set([
  foreverWord,
  'until revoked',
  'for good',
  'permanent',
  'permanently',
]);
