/** Files that are dropped on a page. */
import { decodeText } from '../../../src/text/decode-text.js';

/** Reads a text file as commands read theirs. Throws NotText. */
export const textOfFile = async (file: File): Promise<string> => decodeText(new Uint8Array(await file.arrayBuffer()));
