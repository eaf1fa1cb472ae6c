/** What the machine has to offer before a daemon starts. Where it does not, the start would fail later, and for stranger reasons. */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { openFilesMax, ownFilesMin } from './capacity.js';
import { Refused } from './refused.js';

/** File systems of other machines, by the type that Linux gives them (statfs(2)). */
const remote = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
]);

/**
 * Throws Refused. SQLite's own pages say of network file systems that their locks do not hold, and that two programs may then
 * damage a database (https://www.sqlite.org/faq.html#q5).
 *
 * @param file of the database; null: PostgreSQL
 */
export function requireMachine(file: string | null): void {
  const files = openFilesMax();
  if (files < ownFilesMin)
    throw new Refused(
      `The daemon may open ${files} files and needs ${ownFilesMin}. Raise the limit: \`ulimit -n 1024\`, or LimitNOFILE= of its unit.`,
    );
  if (file === null || process.platform !== 'linux') return;
  const type = remote.get(statfsSync(dirname(file)).type);
  if (type !== undefined)
    throw new Refused(
      `${dirname(file)} is on ${type}, where the locks of SQLite do not hold. Set EARSHOT_DATA_DIR to a folder on a disk of this machine, or DATABASE_URL to PostgreSQL.`,
    );
}
