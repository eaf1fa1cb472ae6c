/** The state and cause that a bot reports. Pure. */
import type { Bot } from '../../../../src/contract/sessions/bots.js';

export type BotState = Bot['state'];
export type BotCause = NonNullable<Bot['cause']>;
export type BotCounters = Bot['counters'];

/** This many failures in a row are the recogniser's fault, not the segments'. */
const failuresInARowMax = 3;
/** This many frames are enough to know that the password is wrong: a second of speech. */
const refusedFramesMin = 50;

export const noCounters: Readonly<BotCounters> = {
  peers: 0,
  packets: 0,
  missed: 0,
  speechSeconds: 0,
  utterances: 0,
  dropped: 0,
  failed: 0,
};

/** Settings of the project that a bot needs. */
interface BotIdentity {
  readonly tokenProvider: string;
  readonly e2eEncryptionMode: string;
  readonly e2eEncryptionPassword: string | null;
}

/** Why no bot can listen under these settings (null: there are none); null when one can. */
export function refusalCause(settings: BotIdentity | null): BotCause | null {
  if (settings === null) return 'settings_removed';
  if (settings.tokenProvider !== 'embedded') return 'provider_unsupported';
  const lacksPassword = settings.e2eEncryptionMode === 'manual' && settings.e2eEncryptionPassword === null;
  return lacksPassword ? 'e2ee_password_missing' : null;
}

interface ListeningFacts {
  /**
   * `restarted`: the room process crashed while people were in the room, and none has come back yet. `unreachable`: it
   * stays away.
   */
  room: 'there' | 'restarted' | 'unreachable';
  recogniserThere: boolean;
  failuresInARow: number;
  /** The last utterance was lost because the recogniser was too slow. */
  isTooSlow: boolean;
  /** The last line could not be stored. */
  lineLost: boolean;
  peersPresent: number;
  speechSeconds: number;
  /** Encrypted frames that could not be decrypted, and those that could; both 0 without end-to-end encryption. */
  framesRefused: number;
  framesAccepted: number;
}

/** Why nothing is being transcribed although the bot listens; null when nothing is wrong. */
export function listeningCause(facts: ListeningFacts): BotCause | null {
  if (facts.room === 'unreachable') return 'room_unreachable';
  if (!facts.recogniserThere) return 'recogniser_unavailable';
  if (facts.lineLost) return 'lines_not_stored';
  if (facts.isTooSlow) return 'recogniser_too_slow';
  if (facts.failuresInARow >= failuresInARowMax) return 'recogniser_failing';
  if (facts.framesAccepted === 0 && facts.framesRefused >= refusedFramesMin) return 'e2ee_password_wrong';
  if (facts.peersPresent === 0) return facts.room === 'restarted' ? 'room_restarted' : 'room_empty';
  return facts.speechSeconds === 0 ? 'no_speech' : null;
}
