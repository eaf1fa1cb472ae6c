/**
 * Chooses the speakers that are heard when more people speak than a listener has slots. Pure: the time is handed in.
 * Only a voice takes a slot; it keeps it until two seconds without voice, so that a pause in a sentence does not lose
 * it.
 */

/** Without voice for this long a slot is free again. */
export const slotHoldMs = 2_000;
/** A slot is not taken away this soon after it was given: short overlaps would cut both speakers to pieces. */
export const slotGuardMs = 500;
/** A newcomer must be this much louder than the quietest holder. */
export const takeoverMargin = 0.1;

interface ListenerSlot {
  speaker: string | null;
  loudness: number;
  takenAtMs: number;
  voicedAtMs: number;
}

export interface Voice {
  readonly speaker: string;
  readonly voiced: boolean;
  /** 0 silent to 1 loudest, smoothed. */
  readonly loudness: number;
}

interface Placement {
  readonly slot: number;
  /** The speaker has just taken the slot. */
  readonly fresh: boolean;
}

export class SlotBoard {
  private readonly slots: ListenerSlot[];

  constructor(size: number) {
    this.slots = Array.from({ length: size }, () => ({ speaker: null, loudness: 0, takenAtMs: 0, voicedAtMs: 0 }));
  }

  /** The slot that a packet of this voice goes to. Null: not heard by this listener now. */
  place(voice: Voice, nowMs: number): Placement | null {
    const held = this.slots.findIndex((slot) => slot.speaker === voice.speaker);
    const holding = this.slots[held];
    if (holding !== undefined) {
      holding.loudness = voice.loudness;
      if (voice.voiced) holding.voicedAtMs = nowMs;
      return { slot: held, fresh: false };
    }
    if (!voice.voiced) return null;
    const index = this.freeSlot() ?? this.quietestBelow(voice.loudness - takeoverMargin, nowMs);
    if (index === null) return null;
    this.slots[index] = { speaker: voice.speaker, loudness: voice.loudness, takenAtMs: nowMs, voicedAtMs: nowMs };
    return { slot: index, fresh: true };
  }

  /** Frees the speaker's slot at once (muted, left). Returns it, or null. */
  release(speaker: string): number | null {
    const index = this.slots.findIndex((slot) => slot.speaker === speaker);
    const slot = this.slots[index];
    if (slot === undefined) return null;
    slot.speaker = null;
    return index;
  }

  /** Frees the slots without voice for `slotHoldMs` and returns them. */
  releaseSilent(nowMs: number): number[] {
    const released: number[] = [];
    for (const [index, slot] of this.slots.entries()) {
      if (slot.speaker === null || nowMs - slot.voicedAtMs < slotHoldMs) continue;
      slot.speaker = null;
      released.push(index);
    }
    return released;
  }

  private freeSlot(): number | null {
    const index = this.slots.findIndex((slot) => slot.speaker === null);
    return index === -1 ? null : index;
  }

  private quietestBelow(loudness: number, nowMs: number): number | null {
    let found: number | null = null;
    let least = loudness;
    for (const [index, slot] of this.slots.entries()) {
      if (slot.loudness >= least || nowMs - slot.takenAtMs < slotGuardMs) continue;
      found = index;
      least = slot.loudness;
    }
    return found;
  }
}
