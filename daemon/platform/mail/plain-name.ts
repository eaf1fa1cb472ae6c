/** A name that somebody chose, as it stands in the subject or the text of an email that says something by itself. */

const charactersMax = 100;
/** Control characters, line separators, and what changes the direction of writing. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
/** A colon behind the name of a header: filters and people take it for one. */
const header = /\b(bcc|cc|to|from|sender|reply-to|subject|date|content-[a-z-]+|mime-version)\s*:/gi;

/** On one line, cut, and without what looks like a part of the email's own head. */
export const plainName = (text: string): string =>
  text
    .replaceAll(unseen, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(header, '$1')
    .trim()
    .slice(0, charactersMax)
    .toWellFormed();
