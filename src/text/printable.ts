/** Text that is safe to show on a terminal and in a log. */

/**
 * C0, DEL and C1, which all escape sequences need; line and paragraph separators; overrides of the writing direction.
 */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes control characters in a value within a line (such as \u001b), including line breaks and tabs. */
export const harmless = (text: string): string =>
  text.replaceAll(unsafe, (character) => shortEscapes[character] ?? escaped(character));

/** Escapes control characters in whole lines; line breaks and tabs stay. JSON keeps its meaning, because it has the same escapes. */
export const harmlessLines = (text: string): string =>
  text.replaceAll(unsafe, (character) => (character === '\n' || character === '\t' ? character : escaped(character)));

const addresses = /[a-z][a-z0-9+.-]*:\/\/[^\s"'<>\\]+/gi;
const secretParameters = /([?&;#][^=&;#]*(?:pass|pwd|secret|token|key|auth|credential|signature)[^=&;#]*=)[^&;#]*/gi;
/** `host` or `host:port`: what stands before the path when there is no user. */
const hostOnly = /^(\[[^\]]*\]|[^:@]*)(:\d*)?$/;

/** An address with `***` for the password in it, and for parameters that look like secrets. */
export function shownAddress(address: string): string {
  const at = address.indexOf('://') + '://'.length;
  if (at < '://'.length) return address;
  const [scheme, rest] = [address.slice(0, at), address.slice(at)];
  const authority = rest.split(/[/?#]/, 1)[0] ?? '';
  // An unescaped slash in a password: the user part ends at the last @.
  const end = hostOnly.test(authority)
    ? -1
    : authority.includes('@')
      ? authority.lastIndexOf('@')
      : rest.lastIndexOf('@');
  const [user, host] = [rest.slice(0, Math.max(0, end)), rest.slice(Math.max(0, end))];
  return `${scheme}${user.replace(/:.*/s, ':***')}${host.replaceAll(secretParameters, '$1***')}`;
}

/** The text with such addresses in it. */
export const withoutPasswords = (text: string): string =>
  text.includes('://') ? text.replaceAll(addresses, shownAddress) : text;
