/**
 * Spreadsheets take a text that begins like a formula for one, and an id such as `1e5` for a number. Files that we write have
 * an apostrophe before such a text, and files that we read lose it again. Texts that begin with apostrophes and then such a
 * text get one more, so that what is written is read as the same. Pure.
 */
const scientific = /^[+-]?\d+(?:[.,]\d+)?[eE][+-]?\d+$/;
const spreadsheetError = /^#(?:N\/A|NAME\?|REF!|VALUE!|NUM!|NULL!|DIV\/0!|####*)$/i;
const wholeFraction = /^\d{6,}[.,]0+$/;
/** Spreadsheets keep 15 digits of a number and write zeros for the others. */
const rounded = /^[1-9]\d{14}0+$/;
const asText = 'format the column as text in the spreadsheet, and copy the ids into it again.';

const formula = /^[=+\-@\t\r]/;
const isTakenForAnother = (text: string): boolean => formula.test(text) || ruinedId(text) !== null || isRounded(text);
const isGuarded = (text: string): boolean => text.startsWith("'") && isTakenForAnother(text.replace(/^'+/, ''));

export const withGuard = (text: string): string => (isTakenForAnother(text) || isGuarded(text) ? `'${text}` : text);

/** The text, and whether somebody vouches for it as it stands. */
export const withoutGuard = (text: string): { readonly text: string; readonly isGuarded: boolean } =>
  isGuarded(text) ? { text: text.slice(1), isGuarded: true } : { text, isGuarded: false };

/** Returns what a spreadsheet has made of an id; null: it may be one. */
export function ruinedId(text: string): string | null {
  if (scientific.test(text)) return `a spreadsheet has made a number of this id (${text}); ${asText}`;
  if (spreadsheetError.test(text)) return `a spreadsheet has written the error ${text} in place of the id.`;
  return wholeFraction.test(text) ? `a spreadsheet has added a fraction to this id (${text}); ${asText}` : null;
}

/** True if an id of more than 15 digits may have lost those behind them: one in ten such ids ends in a zero anyway. */
export const isRounded = (text: string): boolean => rounded.test(text);

export const roundedId = (text: string): string =>
  `a spreadsheet seems to have replaced the last digits of this id by zeros (${text}); ${asText}`;
