/** Makes one participant of two: a rule for each field, so that none is forgotten. */
import { isDeepStrictEqual } from 'node:util';
import type { Participant } from '../../../src/contract/people/participants.js';
import type { JoinedField } from '../../../src/contract/people/person-moves.js';

type SharedFields = Omit<Participant, 'id' | 'tenantId' | 'projectId' | 'externalUserId' | 'updatedAt'>;
type JoinRules = { readonly [F in keyof SharedFields]: (own: Participant, other: Participant) => SharedFields[F] };

/** A person who was never given a name is called by their id. */
const nameOf = ({ displayName, externalUserId }: Participant): string | null =>
  displayName === externalUserId ? null : displayName;

const rules: JoinRules = {
  displayName: (own, other) => nameOf(own) ?? other.displayName,
  userData: (own, other) => ({ ...other.userData, ...own.userData }),
  language: (own, other) => own.language ?? other.language,
  // Protects children: one of the two who is under age is enough.
  minor: (own, other) => (own.minor === true || other.minor === true ? true : (own.minor ?? other.minor)),
  joinedAt: (own, other) => (own.joinedAt < other.joinedAt ? own.joinedAt : other.joinedAt),
};

/** Returns the fields of the person whom `own`, who moves, and `other` become. */
export const joinedFields = (own: Participant, other: Participant): SharedFields => ({
  displayName: rules.displayName(own, other),
  userData: rules.userData(own, other),
  language: rules.language(own, other),
  minor: rules.minor(own, other),
  joinedAt: rules.joinedAt(own, other),
});

type FieldValue = JoinedField['kept'];

/** Returns the fields that both have, with different values. */
export function differingFields(own: Participant, other: Participant): JoinedField[] {
  const both: [field: string, mine: FieldValue, theirs: FieldValue][] = [
    ['displayName', nameOf(own), nameOf(other)],
    ['language', own.language, other.language],
    ['minor', own.minor, other.minor],
    ...Object.entries(own.userData).map(([key, value]): [string, FieldValue, FieldValue] => [
      `userData.${key}`,
      value,
      Object.hasOwn(other.userData, key) ? (other.userData[key] ?? null) : null,
    ]),
  ];
  return both.flatMap(([field, mine, theirs]) => {
    if (mine === null || theirs === null || isDeepStrictEqual(mine, theirs)) return [];
    return [field === 'minor' ? { field, kept: true, dropped: false } : { field, kept: mine, dropped: theirs }];
  });
}
