/**
 * One search that leads anywhere: pages and actions at once, then people, rooms, sessions and keys as the daemon finds them,
 * and events by their id or type.
 */
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useState } from 'react';
import { ownEventTypes } from '../../../src/contract/events.js';
import { apiKeyRoutes } from '../../../src/contract/identity/api-keys.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { roomRoutes } from '../../../src/contract/rooms/rooms.js';
import { sessionRoutes } from '../../../src/contract/sessions/sessions.js';
import { screens } from '../screens.js';
import { client } from '../session/session.js';
import type { FirstWords } from '../words/en.js';
import { useWords } from '../words/words.js';
import { useProject } from './project.js';

interface PaletteEntry {
  readonly group: string;
  readonly label: string;
  readonly detail?: string;
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}
const foundMax = 6;

export default function Search({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const entries = useEntries(text.trim());
  const list = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other results
  useEffect(() => setAt(0), [text]);
  const chosen = Math.min(at, entries.length - 1);
  const open = ({ to, search = {} }: PaletteEntry) => {
    onClose();
    void navigate({ to, search });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((chosen + step + entries.length) % Math.max(1, entries.length));
    }
    const entry = entries[chosen];
    if (event.key === 'Enter' && entry !== undefined) open(entry);
  };
  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={words.palette.title}
        aria-expanded
        aria-controls={list}
        aria-activedescendant={entries.length === 0 ? undefined : `${list}-${chosen}`}
        placeholder={words.frame.search}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {entries.length === 0 && <p className="quiet">{words.palette.nothing}</p>}
      <div className="palette-results" role="listbox" id={list} aria-label={words.palette.title}>
        {entries.map((entry, index) => (
          <div key={[entry.group, entry.to, entry.label, entry.detail].join(' ')} role="presentation">
            {entries[index - 1]?.group !== entry.group && <h3 role="presentation">{entry.group}</h3>}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys */}
            <div
              role="option"
              id={`${list}-${index}`}
              aria-selected={index === chosen}
              tabIndex={-1}
              onClick={() => open(entry)}
              onPointerMove={() => setAt(index)}
            >
              <bdi>{entry.label}</bdi>
              <span className="end">{entry.detail}</span>
            </div>
          </div>
        ))}
      </div>
    </>
  );
}

/** Pages match at once; the daemon is asked when it can keep up. */
function useEntries(text: string): readonly PaletteEntry[] {
  const words = useWords();
  const { params, may } = useProject();
  const enabled = text !== '';
  const asked = useDeferredValue(text);
  const base = `/projects/${params.projectId}`;
  // Read anew each time the search is opened: what was found before may be out of date, and shows until the answer is there.
  const find = { enabled: asked !== '', staleTime: 0, placeholderData: (before: unknown) => before as never };
  const people = useQuery({
    ...find,
    queryKey: ['palette', 'people', params.projectId, asked],
    queryFn: async () =>
      (await client.call(participantRoutes.list, { params, query: { search: asked, limit: foundMax } })).participants,
  });
  const rooms = useQuery({
    ...find,
    queryKey: ['palette', 'rooms', params.projectId, asked],
    queryFn: () => client.call(roomRoutes.list, { params, query: { search: asked } }),
  });
  const sessions = useQuery({
    ...find,
    queryKey: ['palette', 'sessions', params.projectId, asked],
    queryFn: () => client.call(sessionRoutes.list, { params, query: { externalRoomId: asked, limit: foundMax } }),
  });
  const keys = useQuery({
    ...find,
    enabled: find.enabled && may('admin'),
    queryKey: ['palette', 'keys', params.projectId, asked],
    queryFn: () => client.call(apiKeyRoutes.list, { query: { search: asked } }),
  });
  const pages: PaletteEntry[] = screens
    .filter(({ role }) => role === undefined || may(role))
    .map(({ path, title, key }) => ({
      group: words.palette.pages,
      label: title(words),
      detail: `g ${key}`,
      to: `${base}/${path}`,
    }));
  const actions = actionsOf(words).filter(({ role }) => may(role));
  pages.push(...actions.map(({ to, role: _, ...action }) => ({ ...action, to: `${base}/${to}` })));
  const matching = pages.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
  if (!enabled) return matching;
  const at = (folder: string, id: string) => `${base}/${folder}/${encodeURIComponent(id)}`;
  return [
    ...matching,
    ...(people.data ?? []).map(({ externalUserId, displayName }) => ({
      group: words.palette.people,
      label: displayName,
      detail: externalUserId,
      to: at('people', externalUserId),
    })),
    { group: words.palette.people, label: words.people.openExact(text), to: at('people', text) },
    ...(rooms.data ?? []).slice(0, foundMax).map(({ roomId, peers }) => ({
      group: words.palette.rooms,
      label: roomId,
      detail: String(peers.length),
      to: at('rooms', roomId),
    })),
    ...(sessions.data ?? []).map(({ id, title, externalRoomId }) => ({
      group: words.palette.sessions,
      label: title,
      detail: externalRoomId,
      to: at('transcripts', id),
    })),
    ...(keys.data ?? [])
      .filter(({ projectId }) => projectId === null || projectId === params.projectId)
      .slice(0, foundMax)
      .map(({ name, keyPrefix }) => ({
        group: words.palette.keys,
        label: name,
        detail: `${keyPrefix}…`,
        to: `${base}/developers/keys`,
        search: { search: name },
      })),
    ...eventsOf(text).map(({ label, search }) => ({
      group: words.palette.events,
      label,
      to: `${base}/developers/events`,
      search,
    })),
  ];
}

const eventsMax = 4;

/** The event of an id, and types of events. */
function eventsOf(
  text: string,
): readonly { readonly label: string; readonly search: Readonly<Record<string, string>> }[] {
  if (/^[0-9a-f-]{32,36}$/i.test(text)) return [{ label: text, search: { open: text } }];
  const wanted = text.toLowerCase();
  const types = ownEventTypes.filter((type) => type.includes(wanted)).slice(0, eventsMax);
  return types.map((type) => ({ label: type, search: { types: type } }));
}

/** Forms that open by their address. */
const actionsOf = ({ palette }: FirstWords) => {
  const group = palette.pages;
  return [
    { group, label: palette.issue, to: 'sanctions', search: { issue: 'yes' }, role: 'moderator' },
    { group, label: palette.batch, to: 'sanctions', search: { view: 'batches' }, role: 'moderator' },
    { group, label: palette.invite, to: 'administration/people', search: { invite: 'yes' }, role: 'admin' },
    { group, label: palette.newRule, to: 'administration/rules', search: { open: 'new' }, role: 'admin' },
    { group, label: palette.newKey, to: 'developers/keys', search: { new: 'yes' }, role: 'admin' },
  ] as const;
};
