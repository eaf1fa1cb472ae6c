/** Names a person wherever one is named: initials, name, marks, and the id behind a button. */
import { Link } from '@tanstack/react-router';
import { banTypes, silencingTypes } from '../../../src/contract/moderation/sanction-kinds.js';
import { type ListedParticipant, newDays, type PersonMarks } from '../../../src/contract/people/participants.js';
import { useProject } from '../frame/project.js';
import { Copying } from '../parts/copy.js';
import { Countdown } from '../parts/time.js';
import { daemonNow } from '../session/session.js';
import { useWords } from '../words/words.js';
import { useMarked } from './marks.js';
import './person.css';

interface PersonLinkProps {
  /** External user id. */
  readonly id: string | null;
  /** As it was then; left out: as it is now. */
  readonly name?: string | null | undefined;
  /** In lines of a transcript, which name the same few people again and again: without marks and id. */
  readonly isBrief?: boolean;
}

export function PersonLink({ id, name, isBrief = false }: PersonLinkProps) {
  const { project } = useProject();
  const words = useWords();
  const found = useMarked(isBrief && typeof name === 'string' ? null : id);
  if (id === null) return <bdi className="person">{name ?? '–'}</bdi>;
  const shown = name ?? found?.displayName ?? id;
  // Names are isolated, because people choose them (UAX 9).
  return (
    <span className="named">
      <i className="initials" aria-hidden="true">
        {initialsOf(shown)}
      </i>
      <Link
        className="person"
        to={`/projects/${project.id}/people/${encodeURIComponent(id)}`}
        onClick={(event) => event.stopPropagation()}
      >
        <bdi>{shown}</bdi>
      </Link>
      {!isBrief && <Marks of={found} />}
      {!isBrief && <Copying value={id} label={words.copyId(id)} />}
    </span>
  );
}

/** What stands beside a name that is a button: marks, the way to the person, and the id. */
export function BesideName({ id, name }: { readonly id: string; readonly name: string }) {
  const { project } = useProject();
  const words = useWords();
  return (
    <span className="named">
      <Marks of={useMarked(id)} isInRoom />
      <Link aria-label={name} to={`/projects/${project.id}/people/${encodeURIComponent(id)}`}>
        →
      </Link>
      <Copying value={id} label={words.copyId(id)} />
    </span>
  );
}

/** Until when somebody is muted; nothing where they are not, or with the whole room. */
export function MutedMark({ id }: { readonly id: string }) {
  const words = useWords().marks;
  const muted = restrictionOf(useMarked(id)?.marks, silencingTypes);
  return muted && <Until tone="warn" label={words.muted} at={muted.endAt} />;
}

/** The name alone, for places that lead somewhere else. */
export function PersonName({ id }: { readonly id: string }) {
  return <bdi>{useMarked(id)?.displayName ?? id}</bdi>;
}

/** `Ana Reyes` → `AR`. */
const initialsOf = (name: string): string =>
  name
    .split(/\s+/u)
    .flatMap((word) => word.match(/[\p{L}\p{N}]/u) ?? [])
    .slice(0, 2)
    .join('')
    .toUpperCase();

const dayMs = 86_400_000;

interface MarksProps {
  readonly of: ListedParticipant | null | undefined;
  /** The page says by itself who speaks. */
  readonly isInRoom?: boolean;
}

/** The most urgent first: a narrow place cuts off the rest. */
export function Marks({ of: person, isInRoom = false }: MarksProps) {
  const words = useWords().marks;
  const marks = person?.marks;
  if (person === undefined || person === null || marks === undefined) return null;
  const banned = restrictionOf(marks, banTypes);
  const muted = restrictionOf(marks, silencingTypes);
  const reports = marks.reports ?? 0;
  return (
    <>
      {banned !== null && <Until tone="bad" label={words.banned} at={banned.endAt} />}
      {muted !== null && <Until tone="warn" label={words.muted} at={muted.endAt} />}
      {!isInRoom && marks.rooms?.some(({ speaking }) => speaking) && (
        <span className="badge good">{words.speaking}</span>
      )}
      {reports > 0 && <span className="badge warn">{words.reported(reports)}</span>}
      {person.minor === true && <span className="badge accent">{words.minor}</span>}
      {daemonNow() - Date.parse(person.joinedAt) < newDays * dayMs && <span className="badge">{words.isNew}</span>}
    </>
  );
}

const Until = ({ tone, label, at }: { readonly tone: string; readonly label: string; readonly at: string | null }) => (
  <span className={`badge ${tone}`}>
    {label}
    {at !== null && (
      <>
        {' '}
        <Countdown at={at} />
      </>
    )}
  </span>
);

interface LastingRestriction {
  /** Ids of the sanctions. */
  readonly ids: readonly string[];
  /** The last end of them; null: until revoked. */
  readonly endAt: string | null;
}

/** Returns what of these kinds is in force; null: nothing. */
export function restrictionOf(marks: PersonMarks | undefined, types: readonly string[]): LastingRestriction | null {
  const those = (marks?.sanctions ?? []).filter(({ type }) => types.includes(type));
  if (those.length === 0) return null;
  const ends = those.map(({ endAt }) => endAt);
  const last = ends.reduce((one, other) => (one === null || other === null ? null : one > other ? one : other));
  return { ids: those.map(({ id }) => id), endAt: last ?? null };
}
