/** Reads an operator's own plugin: a folder with `manifest.json` and, for code, one JavaScript module. */

import { join } from 'node:path';
import { judge, problemLines } from '../../../../src/contract/judge.js';
import { decodeText, NotText } from '../../../../src/text/decode-text.js';
import { readOrdinaryFile } from '../../../platform/ordinary-file.js';
import { Refused } from '../../../platform/refused.js';
import { codeBytesMax, manifestFile, OwnManifest } from './own-manifest.js';

export interface OwnPlugin {
  readonly manifest: OwnManifest;
  /** null: an endpoint. */
  readonly code: string | null;
}

function fileIn(folder: string, name: string): string {
  const path = join(folder, name);
  try {
    const bytes = readOrdinaryFile(path);
    if (bytes.length > codeBytesMax) throw new Refused(`${path} is larger than ${codeBytesMax / 1024} KiB.`);
    return decodeText(bytes);
  } catch (error) {
    if (error instanceof Refused) throw error;
    if (error instanceof NotText) throw new Refused(`${path}:${error.line}: ${error.message}`);
    throw new Refused(`${path} cannot be read. A plugin is a folder with ${manifestFile} and, for code, a module.`);
  }
}

/** Throws Refused with what is wrong. */
export function readPlugin(folder: string): OwnPlugin {
  const text = fileIn(folder, manifestFile);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Refused(`${join(folder, manifestFile)} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  const judged = judge(OwnManifest, json);
  if (!judged.success) {
    const lines = problemLines(judged.problems, 'manifest').map((line) => `  ${line}`);
    throw new Refused(`${join(folder, manifestFile)} is not valid:\n${lines.join('\n')}`);
  }
  const { main } = judged.data;
  return { manifest: judged.data, code: main === undefined ? null : fileIn(folder, main) };
}
