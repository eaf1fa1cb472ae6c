/** What the daemons know of somebody in a room of LiveKit, as an attribute that its holder cannot change. Pure. */
import type { ParticipantInfo } from '@livekit/protocol';

/** `publish`, `moderate`: as their room token says. */
const flagNames = ['publish', 'moderate', 'observer', 'bot'] as const;
export type RoomFlags = Readonly<Record<(typeof flagNames)[number], boolean>>;

const attribute = 'earshot';

export const attributesOf = (flags: RoomFlags): Record<string, string> => ({
  [attribute]: flagNames.filter((name) => flags[name]).join(' '),
});

export function flagsOf({ attributes }: Pick<ParticipantInfo, 'attributes'>): RoomFlags {
  const set = new Set((attributes[attribute] ?? '').split(' '));
  const [publish, moderate, observer, bot] = flagNames.map((name) => set.has(name)) as [
    boolean,
    boolean,
    boolean,
    boolean,
  ];
  return { publish, moderate, observer, bot };
}

const keptAttribute = 'earshot.keeps';

/** '': an attribute that is removed. */
export const keptAttributes = (seconds: number): Record<string, string> => ({
  [keptAttribute]: seconds === 0 ? '' : String(seconds),
});

/** Seconds of each speaker that a bot holds in memory. */
export const keptBy = ({ attributes }: Pick<ParticipantInfo, 'attributes'>): number =>
  Number(attributes[keptAttribute] ?? 0);

/** Attributes as clients see them: bots, with what they hold in memory, and observers are known for what they are. */
export function clientAttributes(one: Pick<ParticipantInfo, 'attributes'>): Record<string, string> {
  const { bot, observer } = flagsOf(one);
  const kept = keptBy(one);
  return {
    ...(bot || observer ? { [attribute]: bot ? 'bot' : 'observer' } : {}),
    ...(kept > 0 ? keptAttributes(kept) : {}),
  };
}
