/** The bot of a session: what it does now, and what became of it before. */
import { z } from 'zod';
import { Timestamp } from '../common.js';

export const botStates = ['idle', 'joining', 'listening', 'leaving', 'stopped', 'failed'] as const;
/** Why a transcript may be empty, or a bot not there. */
export const botCauses = [
  'no_speech',
  'room_empty',
  'idle_timeout',
  'stopped_by_user',
  'room_unreachable',
  'room_restarted',
  'no_voice_daemon',
  'recogniser_unavailable',
  'recogniser_failing',
  'recogniser_too_slow',
  'lines_not_stored',
  'e2ee_password_missing',
  'e2ee_password_wrong',
  'provider_unsupported',
  'settings_removed',
] as const;

export const Bot = z
  .object({
    state: z.enum(botStates),
    cause: z.enum(botCauses).nullable(),
    since: Timestamp,
    counters: z.object({
      peers: z.int(),
      packets: z.int(),
      missed: z.int().describe('Packets that arrived and were not heard: more at once than eight seconds of speech'),
      speechSeconds: z.number(),
      utterances: z.int(),
      dropped: z.int(),
      failed: z.int().describe('Utterances that the recogniser failed for, or that could not be stored'),
    }),
  })
  .meta({ id: 'Bot' });
export type Bot = z.infer<typeof Bot>;

export const BotPast = z
  .array(
    z.object({
      state: z.enum(botStates),
      cause: z.enum(botCauses).nullable(),
      since: Timestamp.describe('When this state began; it lasted until the previous entry'),
    }),
  )
  .meta({ id: 'BotPast' });
export type BotPast = z.infer<typeof BotPast>;
