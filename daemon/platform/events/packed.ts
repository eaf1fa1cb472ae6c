/**
 * Payloads as the log stores them: JSON, or JSON that is deflated and written in base64 behind a mark. Announced progress
 * repeats the names of its fields and two almost equal states, so it packs into a tenth.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** JSON never begins with it. Another dictionary needs another mark: rows that are stored keep theirs. */
const mark = '1:';
/** What most packed payloads contain. A field that is missing here costs bytes only. */
const dictionary = Buffer.from(
  '{"action":"updated","data":{"webhook_type":"battlepass-challenge-changed","old_battle_pass_challenge":{"challenge_id":' +
    ',"challenge_position_index":0,"new_battle_pass_challenge":{"webhook_type":"challenge-changed","category_position":0,' +
    '"old_challenge":{"challenge_id":"01","challenge_duration_time":null,"live_date":null,"challenge_goal":10,' +
    '"user_challenge_current_score":0,"challenge_icon":null,"challenge_icon_hd":null,"challenge_price":null,' +
    '"challenge_reward":null,"challenge_reward_type":null,"challenge_goal_condition":0,"challenge_xp":null,' +
    '"repeatable":false,"type":"in-progress","challenge_auto_activated":false,"is_claimed":false,' +
    '"user_challenge_unlocked_at":"20","user_challenge_activated_at":"20","user_challenge_is_claimed":false,' +
    '"user_challenge_status":2,"user_id":""},"new_challenge":{"challenge_id":"01',
);
/** Shorter payloads stay as they are. */
const packedFrom = 512;
/** A window and an output of the size of payloads: the memory that zlib takes by default needs longer than the packing. */
const packing = { level: 3, windowBits: 12, memLevel: 4, chunkSize: 1_024, dictionary };
/** More than any payload has. */
const maxOutputLength = 16 * 1024 * 1024;

export function packed(payload: string): string {
  if (payload.length < packedFrom) return payload;
  return mark + deflateRawSync(payload, packing).toString('base64');
}

/** The JSON of a stored payload. Throws when it cannot be read. */
export function unpacked(stored: string): string {
  if (!stored.startsWith(mark)) return stored;
  return inflateRawSync(Buffer.from(stored.slice(mark.length), 'base64'), { dictionary, maxOutputLength }).toString();
}

/** The condition of a SQL statement that a row's payload is packed. */
export const isPacked = `substr("payload", 1, ${mark.length}) = '${mark}'`;
