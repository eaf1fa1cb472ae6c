/** Which Earshot this is: the version of the package, and the commit that was built, as `0.2.0+1a2b3c4d5e6f` (semantic versioning). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** On every answer of the daemon: its version and commit. */
export const versionHeader = 'X-Earshot-Version';

/** @param root folder of the package */
export function versionIn(root: string): string {
  const { version }: { version: string } = createRequire(root)(join(root, 'package.json'));
  const commit = commitIn(root);
  return commit === '' ? version : `${version}+${commit}`;
}

/** Without the commit: what decides whether two programs know the same of each other. */
export const releaseOf = (version: string): string => version.replace(/\+.*$/, '');

/** The build has written it; '' where it had no repository and was told none. */
function commitIn(root: string): string {
  try {
    return readFileSync(join(root, 'dist/commit'), 'utf8').trim();
  } catch {
    return '';
  }
}
