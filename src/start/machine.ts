/** What a machine must have, as `earshotd --version` and `earshotd doctor` say it; bin/set-up.mjs says it of the build. */
import { totalmem } from 'node:os';

const mebibyte = 1024 ** 2;
/** Memory that the daemon needs with a few rooms, its recogniser apart, in MiB; an idle one takes 140. */
export const daemonMib = 512;
/** Memory that `npm start` needs to install and build, in MiB; test/examples/fresh-clone.test.ts limits it to that. */
const buildMib = 1_024;

export const requirements = `needs Node.js 20.19 or newer and ${daemonMib} MiB of memory, ${buildMib} MiB to build it`;

/** Returns the memory of this machine, or of the container, in MiB. */
export const memoryMib = (): number =>
  // Without a limit it is 0, or larger than any machine.
  Math.floor(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / mebibyte);
