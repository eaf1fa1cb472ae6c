/**
 * People who were erased a short time ago. What they said before may still be on its way to the transcript, and is
 * dropped when it arrives. Kept in memory, as utterances on their way are.
 */
import { dropWhile } from '../../platform/collections/drop-while.js';
import type { Clock } from '../../platform/time/clock.js';
import { hourMs } from '../../platform/time/spans.js';

/** Longer than anything waits for the recogniser. */
const keptMs = hourMs;

export class RecentErasures {
  /** Oldest first. */
  private readonly times = new Map<string, Date>();

  constructor(private readonly now: Clock) {}

  add(projectId: string, externalUserId: string): void {
    const now = this.now();
    dropWhile(this.times, (time) => now.getTime() - time.getTime() >= keptMs);
    const key = keyOf(projectId, externalUserId);
    this.times.delete(key);
    this.times.set(key, now);
  }

  /** True if the person was erased after that time, or at it. */
  has(projectId: string, externalUserId: string, since: Date): boolean {
    const time = this.times.get(keyOf(projectId, externalUserId));
    return time !== undefined && time >= since;
  }
}

const keyOf = (projectId: string, externalUserId: string): string => JSON.stringify([projectId, externalUserId]);
