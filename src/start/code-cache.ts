/**
 * Compiled code in the user's cache folder. V8 runs what it finds there, so only folders and files count that belong to
 * the user and that nobody else can write. Nothing here ever fails: a program that finds no code compiles its own.
 */
import {
  closeSync,
  fstatSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Compiled code by file of the bundle. */
export type CompiledCode = ReadonlyMap<string, Buffer>;

/** Files that are kept, each below 8 MB; those that were used longest ago go first. */
const filesMax = 32;
const ending = '.code';
const headLengthBytes = 4;
const writableByOthers = 0o022;

/** Returns the folder for caches of this user; null if there is none. */
function cachesFolder(): string | null {
  const { XDG_CACHE_HOME: caches, HOME: home, LOCALAPPDATA: local } = process.env;
  if (caches !== undefined && caches !== '') return caches;
  if (process.platform === 'win32') return local ?? null;
  if (home === undefined || home === '') return null;
  return join(home, process.platform === 'darwin' ? 'Library/Caches' : '.cache');
}

type FileAccess = Pick<Stats, 'uid' | 'mode'>;

const isOwn = ({ uid }: Pick<FileAccess, 'uid'>): boolean => process.geteuid === undefined || uid === process.geteuid();

const isOnlyOurs = (found: FileAccess): boolean =>
  isOwn(found) && (process.platform === 'win32' || (found.mode & writableByOthers) === 0);

/** The folder of our code, made where it is missing; null where it cannot be trusted. */
function folder(make: boolean): string | null {
  const caches = cachesFolder();
  if (caches === null) return null;
  const path = join(caches, 'earshot', 'code');
  if (make) {
    // Root, with the home folder of another user, must not leave files there that this user cannot change.
    if (!isOwn(statSync(process.env.XDG_CACHE_HOME || process.env.HOME || caches))) return null;
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }
  const found = lstatSync(path);
  return found.isDirectory() && isOnlyOurs(found) ? path : null;
}

const fileName = (use: string, build: string): string =>
  `${use.replaceAll('/', '.')}-${build}-${process.version}-${process.arch}${ending}`;

/** Empty where there is none. */
export function readCode(use: string, build: string): CompiledCode {
  try {
    const place = folder(false);
    return place === null ? new Map() : unpacked(readOwn(join(place, fileName(use, build))));
  } catch {
    return new Map();
  }
}

function readOwn(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    if (!isOnlyOurs(fstatSync(file))) throw new Error(`${path} can be written by somebody else.`);
    noteUse(file);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function noteUse(file: number): void {
  try {
    const now = new Date();
    futimesSync(file, now, now);
  } catch {
    // A file system that cannot be written: nothing is deleted there either.
  }
}

/** Replaces an older file, and deletes others where there are too many. */
export function writeCode(use: string, build: string, code: CompiledCode): void {
  try {
    const place = folder(true);
    if (place === null) return;
    const path = join(place, fileName(use, build));
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, packed(code), { mode: 0o600, flag: 'wx' });
    renameSync(unfinished, path);
    dropLeastUsed(place);
  } catch {
    // No space or no permission: the next start compiles again.
  }
}

function dropLeastUsed(place: string): void {
  const files = readdirSync(place).map((name) => ({
    path: join(place, name),
    at: statSync(join(place, name)).mtimeMs,
  }));
  for (const { path } of files.sort((a, b) => b.at - a.at).slice(filesMax)) rmSync(path, { force: true });
}

/** The length of the head, the head as JSON (name and length of each part), the parts. */
function packed(code: CompiledCode): Buffer {
  const head = Buffer.from(JSON.stringify([...code].map(([name, part]) => [name, part.length])));
  const headLength = Buffer.alloc(headLengthBytes);
  headLength.writeUInt32LE(head.length);
  return Buffer.concat([headLength, head, ...code.values()]);
}

function unpacked(bytes: Buffer): CompiledCode {
  let end = headLengthBytes + bytes.readUInt32LE(0);
  const head: readonly (readonly [string, number])[] = JSON.parse(bytes.toString('utf8', headLengthBytes, end));
  return new Map(
    head.map(([name, length]) => {
      const begin = end;
      end += length;
      return [name, bytes.subarray(begin, end)];
    }),
  );
}
