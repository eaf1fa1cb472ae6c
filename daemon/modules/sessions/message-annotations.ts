import type { Message } from '../../../src/contract/sessions/sessions.js';

/** What plugins said of messages; plugins stand above transcripts. */
export interface MessageAnnotations {
  /** Returns the messages with their annotations. */
  beside(messages: readonly Message[]): Promise<Message[]>;
  /** Returns those of the messages in which toxicity was found. */
  flagged(ids: readonly string[]): Promise<ReadonlySet<string>>;
}
