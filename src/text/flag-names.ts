/** Names of the flags of commands, by the fields of the contract that they set. */

/** Fields whose flag is called by a word that all commands use; the name of the field goes on working. */
const shortNames = {
  projectId: 'project',
  sessionId: 'session',
  subscriptionId: 'webhook',
  externalUserId: 'user',
  participantId: 'participant',
  gatheringId: 'gathering',
  sanctionId: 'sanction',
  externalRoomId: 'room',
  roomId: 'room',
  userId: 'user',
  displayName: 'name',
  createdByUserId: 'moderator',
  claimedByUserId: 'moderator',
  activeOnly: 'active',
  url: 'to', // --url names the daemon, in every command
} as const;
type ShortNames = typeof shortNames;

/** The flag of a field. */
export type FlagName<Name extends string> = Name extends keyof ShortNames ? ShortNames[Name] : Kebab<Name>;
export const flagName = (name: string): string =>
  Object.entries(shortNames).find(([field]) => field === name)?.[1] ?? kebab(name);

/** `externalUserId` → `external-user-id`. */
type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : '';
export const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
