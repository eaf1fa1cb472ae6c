/**
 * Answers a shell that completes a line: candidates, one a line. Runs without oclif, to be fast. Names come from the
 * cache; without any, the daemon is asked for a short time. On any error nothing is printed.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { harmless } from '../../text/printable.js';
import { profiles } from '../command/profile.js';
import { keptNames, type NameScope } from './name-cache.js';
import { atCursor, type Shape } from './shape.js';
import { forBash, typedLine } from './shell-line.js';

/** The daemon has so long. */
const patienceMs = 1_500;
const pauseMs = 25;
const shownMax = 200;

/** @param asked shell, line up to the cursor, and what bash breaks words at */
export function complete([shell = '', line = '', breaks = '']: readonly string[], root: string): string {
  const typed = typedLine(line);
  const shape: Shape = JSON.parse(readFileSync(join(root, 'dist/cli/completion.json'), 'utf8'));
  const cursor = atCursor(shape, typed.words.slice(1));
  const names = cursor.kind === null ? [] : namesOf(cursor.kind, cursor.common, root);
  const start = cursor.typed.toLowerCase();
  const found = [...new Set([...cursor.options, ...names])]
    .filter((one) => one.toLowerCase().startsWith(start) && harmless(one) === one)
    .slice(0, shownMax);
  return found
    .map((one) => (shell === 'bash' ? forBash(cursor.before + one, typed, breaks) : one))
    .map((one) => `${one}\n`)
    .join('');
}

function namesOf(kind: string, scope: NameScope, root: string): readonly string[] {
  if (kind === 'profile') return profiles().map(({ name }) => name);
  const kept = keptNames(scope, kind);
  if (kept?.isFresh === true) return kept.names;
  const flags = Object.entries(scope).map(([name, value]) => `--${name}=${value}`);
  const command = [join(root, 'bin/earshot.js'), 'completion', 'names', kind, ...flags];
  const quietly = { stdio: 'ignore' } as const;
  // It goes on where it takes longer: the next time the names are there.
  spawn(process.execPath, command, { ...quietly, detached: true }).unref();
  if (kept !== null) return kept.names;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (const end = Date.now() + patienceMs; Date.now() < end; Atomics.wait(pause, 0, 0, pauseMs)) {
    const arrived = keptNames(scope, kind);
    if (arrived !== null) return arrived.names;
  }
  return [];
}
