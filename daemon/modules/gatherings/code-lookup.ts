/** Finds gatherings by what people type, and protects codes from being guessed. */
import { DomainError } from '../../../src/contract/errors.js';
import { WindowCounter } from '../../platform/limits/window-counter.js';
import { minuteMs } from '../../platform/time/spans.js';
import { readJoinCode } from './join-code.js';
import type { GatheringRow, GatheringStore } from './store.js';

/** After this many unknown codes in a minute a caller finds nothing until the minute is over. */
const missesPerMinute = 20;

export class CodeLookup {
  private readonly misses = new WindowCounter('join_codes', { max: missesPerMinute, windowMs: minuteMs });

  constructor(private readonly gatherings: GatheringStore) {}

  /** Throws join_code_unknown, rate_limited. */
  async find(projectId: string, callerId: string, written: string): Promise<GatheringRow> {
    this.misses.require(callerId);
    const code = readJoinCode(written);
    const found = code === null ? null : await this.gatherings.byJoinCode(projectId, code);
    if (found !== null) return found;
    this.misses.count(callerId);
    throw new DomainError('join_code_unknown');
  }
}
