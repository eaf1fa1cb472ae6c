/** `earshotd speech sample`: a recording of a person who says "go forward ten meters", to try a room without a microphone. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleRate } from '../recognisers/transcriber.js';
import { wavFile } from '../wav.js';
import { CommandFailed } from './command.js';
import { fetchPackages, isDebian, packagesAvailable } from './debian-packages.js';

const samplePackage = 'pocketsphinx-testdata';
const recording = 'usr/share/pocketsphinx/test/data/goforward.raw';

/** Writes `file`, mono at 16 kHz (about 80 kB), fetching about 1 MB. @throws CommandFailed when apt cannot fetch it */
export async function writeSample(file: string): Promise<void> {
  if (!(await isDebian()) || !(await packagesAvailable([samplePackage], process.getuid?.() === 0)))
    throw new CommandFailed(
      `apt does not know ${samplePackage} here. Use any WAV file with a voice instead of the sample.`,
    );
  const work = await mkdtemp(join(tmpdir(), 'earshot-sample-'));
  try {
    await fetchPackages([samplePackage], { archiveDir: join(work, 'archives'), into: join(work, 'unpacked') });
    const pcm = await readFile(join(work, 'unpacked', recording));
    const samples = Int16Array.from({ length: pcm.length >> 1 }, (_, index) => pcm.readInt16LE(index * 2));
    await writeFile(file, wavFile(samples, sampleRate));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
