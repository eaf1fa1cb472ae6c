/** Entries of lists that no text can hold, as they are named to whoever saves them. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800]/gu;

const numbered = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** The entry in quotes, with the numbers of characters that nobody sees. */
export const namedEntry = (entry: string): string => `"${entry.replaceAll(unseen, numbered)}"`;

export const nothingIn = (entry: string): string =>
  `${namedEntry(entry)} holds nothing that a line can have: write letters, digits or signs`;
