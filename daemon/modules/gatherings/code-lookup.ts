/** Finds gatherings by what people type, and protects codes from being guessed. */
import { DomainError } from '../../../src/contract/errors.js';
import { limits } from '../../platform/limits/catalogue.js';
import { WindowCounter } from '../../platform/limits/window-counter.js';
import { minuteMs } from '../../platform/time/spans.js';
import { readJoinCode } from './join-code.js';
import type { GatheringRow, GatheringStore } from './store.js';

export class CodeLookup {
  /** After so many a person, or a caller who names none, finds nothing until the minute is over. */
  private readonly misses = new WindowCounter('join_codes', { max: limits.join_codes.max, windowMs: minuteMs });

  constructor(private readonly gatherings: GatheringStore) {}

  /**
   * Throws join_code_unknown, rate_limited.
   *
   * @param by the participant who typed the code: the key of a game is that of all its players; or else the caller
   */
  async find(
    projectId: string,
    by: { readonly participantId: string } | { readonly callerId: string },
    written: string,
  ): Promise<GatheringRow> {
    const key = 'participantId' in by ? `${projectId} ${by.participantId}` : by.callerId;
    this.misses.require(key);
    const code = readJoinCode(written);
    const found = code === null ? null : await this.gatherings.byJoinCode(projectId, code);
    if (found !== null) return found;
    this.misses.count(key);
    throw new DomainError('join_code_unknown');
  }
}
