/**
 * Caches names for completion: a file for each daemon, login, project and kind, which no other login reads. It holds
 * only names: no addresses, which may contain secrets, and no beginnings of keys.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Machine } from '../command/machine.js';

/** Age up to which names are used as they are; older ones are shown while they are fetched again. */
const freshMs = 30_000;
const shownMs = 600_000;

/**
 * Daemon, profile and project that the names belong to: from flags of the line, else the environment, else the profile.
 */
export interface NameScope {
  readonly url?: string | undefined;
  readonly profile?: string | undefined;
  readonly project?: string | undefined;
}

const folder = (): string => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'earshot', 'names');

function file(scope: NameScope, kind: string): string {
  const { url, credential, project } = new Machine(scope, true);
  const whose = [url, credential, project, kind];
  return join(folder(), createHash('sha256').update(JSON.stringify(whose)).digest('hex').slice(0, 32));
}

interface KeptNames {
  readonly names: readonly string[];
  readonly isFresh: boolean;
}

/** null: there are none, or they are old. */
export function keptNames(scope: NameScope, kind: string): KeptNames | null {
  try {
    const path = file(scope, kind);
    const ageMs = Date.now() - statSync(path).mtimeMs;
    if (ageMs > shownMs) return null;
    return { names: readFileSync(path, 'utf8').split('\n').filter(Boolean), isFresh: ageMs < freshMs };
  } catch {
    return null;
  }
}

export function keepNames(scope: NameScope, kind: string, names: readonly string[]): void {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  const path = file(scope, kind);
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, names.join('\n'), { mode: 0o600 });
  renameSync(unfinished, path);
}

/** After a logout. */
export const forgetNames = (): void => rmSync(folder(), { recursive: true, force: true });
