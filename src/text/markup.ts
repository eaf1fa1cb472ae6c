/** Text within markup: HTML, XML, WebVTT, and what Slack reads. */

/** Escapes `&`, `<` and `>`: what text between tags must not hold. */
export const escapedMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Escapes double quotes, too: for text that may stand in an attribute. */
export const escapedAttribute = (text: string): string => escapedMarkup(text).replaceAll('"', '&quot;');
