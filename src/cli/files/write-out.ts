/** Files that commands write. */
import { writeFile } from 'node:fs/promises';
import { UsageError } from '../../terminal/usage-error.js';

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it already exists',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
  ENOSPC: 'the disk is full',
};

/** Why a file cannot be used, of what Node.js threw. */
export function reasonOf(error: unknown, missing = reasons.ENOENT): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return (code === 'ENOENT' ? missing : reasons[code]) ?? error.message;
}

/** `isNew`: an existing file is kept. Throws UsageError. */
export async function writeOut(
  path: string,
  content: string | Uint8Array,
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<void> {
  await writeFile(path, content, { flag: isNew ? 'wx' : 'w' }).catch((cause: unknown) => {
    throw new UsageError(`${path} cannot be written: ${reasonOf(cause)}.`, { cause });
  });
}
