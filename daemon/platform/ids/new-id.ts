/**
 * Ids of rows and events: UUIDv7 (RFC 9562, 6.2). Each is greater than every one before it, also when the clock was set
 * back, because lists, exports and retention go by their order.
 */
import { V7Generator } from 'uuidv7';
import { madeAtMs } from './id-time.js';

const generator = new V7Generator();
/** The most that the library takes: newer ids never begin over. */
const rollbackMaxMs = 2 ** 48 - 1;
generator.setRollbackAllowance(rollbackMaxMs);
let floorMs = 0;

export const uuidv7 = (): string => generator.generateOrResetWithTs(Math.max(Date.now(), floorMs)).toString();

/** Lets all ids come after one that is stored: the clock may have been ahead when that was made. */
export function continueAfter(id: string): void {
  floorMs = Math.max(floorMs, madeAtMs(id) + 1);
}

/** Returns the latest time with which the id of a row begins that was made before `ms`. */
export const latestIdTime = (ms: number): number => Math.max(ms, floorMs);
