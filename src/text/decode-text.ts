/** Decodes the bytes of a text file: UTF-8, or UTF-16 with a byte order mark; anything else is refused, never guessed. */

/** The bytes are no text in an encoding that is read; the message says which line, and what to do. */
export class NotText extends Error {
  override readonly name = 'NotText';

  constructor(
    /** Line number, from 1. */
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

const lineFeed = 0x0a;
const isUtf16 = (bytes: Uint8Array): string | null => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
};

/** Returns the text without its byte order mark. Throws NotText. */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = isUtf16(bytes);
  const zero = utf16 === null ? bytes.indexOf(0) : -1;
  if (zero !== -1)
    throw new NotText(
      bytes.subarray(0, zero).filter((byte) => byte === lineFeed).length + 1,
      'there is a zero byte, as in UTF-16 without a byte order mark or in a file that is no text; save the file as UTF-8.',
    );
  const text = decoded(bytes, utf16 ?? 'utf-8');
  if (text !== null && !text.includes('\0')) return text;
  if (utf16 !== null) throw new NotText(1, 'the file is broken UTF-16; save it as UTF-8.');
  throw new NotText(brokenLine(bytes), 'a character is not UTF-8, but perhaps Windows-1252; save the file as UTF-8.');
}

function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A line feed is never a part of a longer character, so each line can be decoded alone. */
function brokenLine(bytes: Uint8Array): number {
  for (let [line, from] = [1, 0]; from < bytes.length; line += 1) {
    const end = bytes.indexOf(lineFeed, from);
    const to = end === -1 ? bytes.length : end;
    if (decoded(bytes.subarray(from, to), 'utf-8') === null) return line;
    from = to + 1;
  }
  return 1;
}
