/** Finding of `earshot why` about one thing. */

export interface Finding {
  readonly ok: boolean;
  /** One sentence. */
  readonly says: string;
  /** Remedy: a command to type, or a sentence. */
  readonly remedy?: string;
}

/** Problem in the past. */
export interface PastFinding {
  readonly since: string;
  readonly until: string;
  readonly says: string;
  readonly remedy: string;
}

export interface Examined {
  /** `session Demo (room demo)`. */
  readonly subject: string;
  readonly findings: readonly Finding[];
  /** The newest first. */
  readonly past?: readonly PastFinding[];
}

export const good = (says: string): Finding => ({ ok: true, says });
export const bad = (says: string, remedy?: string): Finding => ({ ok: false, says, ...(remedy ? { remedy } : {}) });
