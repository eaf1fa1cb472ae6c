/** Checksums of archives for which none is published, as they were at the first fetch. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const Recorded = z.record(z.string(), z.object({ sha256: z.string(), fetchedAt: z.string() }));
const fileName = 'checksums.json';

/** Returns the recorded checksum of an archive, hex; null: it was never fetched. */
export async function recordedChecksum(speechDir: string, archive: string): Promise<string | null> {
  return (await read(speechDir))[archive]?.sha256 ?? null;
}

export async function recordChecksum(speechDir: string, archive: string, sha256: string, now: Date): Promise<void> {
  const all = { ...(await read(speechDir)), [archive]: { sha256, fetchedAt: now.toISOString() } };
  const fresh = join(speechDir, `.${fileName}`);
  await writeFile(fresh, `${JSON.stringify(all, null, 2)}\n`);
  await rename(fresh, join(speechDir, fileName));
}

async function read(speechDir: string): Promise<z.infer<typeof Recorded>> {
  const text = await readFile(join(speechDir, fileName), 'utf8').catch(() => '{}');
  return Recorded.parse(JSON.parse(text));
}
