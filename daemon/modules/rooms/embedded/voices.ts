/** Detects who speaks in a room, from packets that are not decoded. Pure: the time is handed in. */

/** Without voice for this long somebody does not speak any more; a pause between words is shorter. */
const pauseMs = 1_000;

export class Voices {
  private readonly voicedAtMs = new Map<string, number>();

  constructor(private readonly changed: (externalUserId: string, speaking: boolean) => void) {}

  heard(externalUserId: string, nowMs: number): void {
    const isNew = !this.voicedAtMs.has(externalUserId);
    this.voicedAtMs.set(externalUserId, nowMs);
    if (isNew) this.changed(externalUserId, true);
  }

  /** Ends turns after silence. Call it a few times per second. */
  check(nowMs: number): void {
    for (const [externalUserId, voicedAtMs] of this.voicedAtMs)
      if (nowMs - voicedAtMs >= pauseMs) this.ends(externalUserId);
  }

  ends(externalUserId: string): void {
    if (this.voicedAtMs.delete(externalUserId)) this.changed(externalUserId, false);
  }
}
