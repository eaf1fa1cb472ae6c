/** Which version the daemon says it has, at each answer; another one than that of the commands is told to whoever types. */
import { releaseOf, versionIn } from '../../names/version.js';

let daemons: string | null = null;

/** @param version of the header of an answer; null: the answer had none */
export function learnVersion(version: string | null): void {
  daemons = version ?? daemons;
}

/** Version of the daemon that answered since the last call; null: none did. */
export function takeVersion(): string | null {
  const version = daemons;
  daemons = null;
  return version;
}

/**
 * A sentence where the daemon is of another version than the commands; otherwise null.
 *
 * @param root folder of the package
 */
export function otherVersion(daemon: string, root: string): string | null {
  const [own, theirs] = [releaseOf(versionIn(root)), releaseOf(daemon)];
  if (own === theirs) return null;
  return `This is earshot ${own}, and the daemon is ${theirs}: what one of them knows, the other may not. Install one version of both.`;
}
