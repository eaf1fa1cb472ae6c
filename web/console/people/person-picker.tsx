/** Asks for a person by part of the name or id: who is found stands below, to be chosen. */
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useRef, useState } from 'react';
import { type ListedParticipant, participantRoutes } from '../../../src/contract/people/participants.js';
import { isPartOf } from '../../../src/text/fold.js';
import { useProject } from '../frame/project.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';

const foundMax = 6;

/** True if nobody has this as their id, and somebody has it in their name: so it was meant as a name. */
export async function isNameAlone(params: { readonly projectId: string }, typed: string): Promise<boolean> {
  const find = async (query: { readonly search: string } | { readonly externalUserIds: string }) =>
    (await client.call(participantRoutes.list, { params, query: { ...query, limit: foundMax } })).participants;
  const name = typed.trim();
  if (name === '' || (await find({ externalUserIds: encodeURIComponent(typed) })).length > 0) return false;
  return (await find({ search: name })).some(
    ({ externalUserId, displayName }) => displayName !== externalUserId && isPartOf(name, displayName),
  );
}

interface PersonPickerProps {
  readonly label: string;
  /** What is typed, or the id of whoever was chosen. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: ReactNode;
}

export function PersonPicker({ label, value, onChange, error }: PersonPickerProps) {
  const words = useWords();
  const { params } = useProject();
  const search = useDeferredValue(value.trim());
  const found = useQuery({
    queryKey: ['participants', params.projectId, 'picker', search],
    queryFn: () => client.call(participantRoutes.list, { params, query: { search, limit: foundMax } }),
    enabled: search !== '',
    placeholderData: (before) => before,
  });
  const people = search === '' ? [] : (found.data?.participants ?? []);
  // Whoever has this as their id may be behind others whose ids begin so.
  const [picked, setPicked] = useState<ListedParticipant | null>(null);
  const known = picked === null ? people : [picked, ...people];
  const chosen = known.find(({ externalUserId }) => externalUserId === value);
  const input = useRef<HTMLInputElement>(null);
  const pick = (person: ListedParticipant) => {
    setPicked(person);
    onChange(person.externalUserId);
    input.current?.focus(); // The button is gone.
  };
  return (
    <div>
      <TextInput
        ref={input}
        label={label}
        required
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        description={chosen === undefined ? words.picker.hint : <bdi>{chosen.displayName}</bdi>}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={error}
      />
      {chosen === undefined && people.length > 0 && (
        <ul className="list picker" aria-label={words.picker.found}>
          {people.map((person) => (
            <li key={person.externalUserId}>
              <button type="button" className="pick" onClick={() => pick(person)}>
                <bdi>{person.displayName}</bdi> <code className="quiet">{person.externalUserId}</code>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div role="status">
        {search !== '' && found.data?.participants.length === 0 && !found.isPlaceholderData && (
          <p className="quiet">{words.picker.nobody}</p>
        )}
      </div>
    </div>
  );
}
