/** Asks for a person by part of the name or id: who is found stands below, to be chosen. */
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { useProject } from '../frame/project.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';

const foundMax = 6;

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
  const chosen = people.find(({ externalUserId }) => externalUserId === value);
  return (
    <div>
      <TextInput
        label={label}
        required
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        description={
          chosen === undefined ? words.picker.hint : <bdi>{chosen.displayName ?? chosen.externalUserId}</bdi>
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={error}
      />
      {chosen === undefined && people.length > 0 && (
        <ul className="list picker" aria-label={words.picker.found}>
          {people.map(({ externalUserId, displayName }) => (
            <li key={externalUserId}>
              <button type="button" className="pick" onClick={() => onChange(externalUserId)}>
                <bdi>{displayName ?? externalUserId}</bdi> <code className="quiet">{externalUserId}</code>
              </button>
            </li>
          ))}
        </ul>
      )}
      {search !== '' && found.data?.participants.length === 0 && <p className="quiet">{words.picker.nobody}</p>}
    </div>
  );
}
