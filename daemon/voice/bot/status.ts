/** What a bot says of itself. Pure. */
import type { Bot } from '../../../src/contract/sessions.js';

export type BotState = Bot['state'];
export type BotCause = NonNullable<Bot['cause']>;
export type BotCounters = Bot['counters'];

/** So many failures in a row are the recogniser's, not the segments'. */
const failuresInARowMax = 3;
/** So many frames are enough to know that the password is wrong: a second of speech. */
const refusedFramesMin = 50;

export const noCounters: Readonly<BotCounters> = {
  peers: 0,
  packets: 0,
  speechSeconds: 0,
  utterances: 0,
  dropped: 0,
  failed: 0,
};

export interface ListeningFacts {
  recogniserThere: boolean;
  failuresInARow: number;
  peersPresent: number;
  speechSeconds: number;
  /** Encrypted frames that did not open, and those that did; both 0 without end-to-end encryption. */
  framesRefused: number;
  framesAccepted: number;
}

/** Why nothing is being written down although the bot listens; null when nothing is wrong. */
export function listeningCause(facts: ListeningFacts): BotCause | null {
  if (!facts.recogniserThere) return 'recogniser_unavailable';
  if (facts.failuresInARow >= failuresInARowMax) return 'recogniser_failing';
  if (facts.framesAccepted === 0 && facts.framesRefused >= refusedFramesMin) return 'e2ee_password_wrong';
  if (facts.peersPresent === 0) return 'room_empty';
  return facts.speechSeconds === 0 ? 'no_speech' : null;
}
