/**
 * One search that leads anywhere: pages and actions at once, then people, rooms, sessions and keys as the daemon finds them,
 * and events by their id or type.
 */
import { TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { ownEventTypes } from '../../../src/contract/events.js';
import { apiKeyRoutes } from '../../../src/contract/identity/api-keys.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { caseRoutes } from '../../../src/contract/reports/cases.js';
import { roomRoutes } from '../../../src/contract/rooms/rooms.js';
import { sessionRoutes } from '../../../src/contract/sessions/sessions.js';
import { kindWord } from '../cases/queries.js';
import { Refusal } from '../parts/refusal.js';
import { offerUndo } from '../parts/undo.js';
import { useIntent } from '../parts/use-intent.js';
import { screens } from '../screens.js';
import { client } from '../session/session.js';
import type { FirstWords } from '../words/en.js';
import { useWords } from '../words/words.js';
import { actOnCase, actOnPerson, actOnRoom, type OrderedAct } from './ordered.js';
import { useProject } from './project.js';
import { orderIn } from './verbs.js';

interface PaletteEntry {
  readonly group: string;
  readonly label: string;
  readonly detail?: string;
  /** Address that it leads to, or what it does. */
  readonly to?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly run?: OrderedAct['run'];
}
const foundMax = 6;

interface SearchProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onClose: () => void;
}

export default function Search({ text, onText, onClose }: SearchProps) {
  const words = useWords();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [at, setAt] = useState(0);
  const act = useIntent({
    mutationFn: (run: OrderedAct['run']) => run(),
    onSuccess: (undoable) => {
      if (undoable !== null) offerUndo(undoable);
      onClose();
    },
    onSettled: () => queries.invalidateQueries(),
  });
  const entries = useEntries(text.trim());
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  // What was typed before is in it: the rest goes on behind.
  useEffect(() => field.current?.focus(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other results
  useEffect(() => setAt(0), [text]);
  const chosen = Math.min(at, entries.length - 1);
  const open = ({ to, search = {}, run }: PaletteEntry) => {
    if (run !== undefined) return act.start(run);
    onClose();
    void navigate({ to: to ?? '.', search });
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
        ref={field}
        onFocus={({ currentTarget: { value } }) => field.current?.setSelectionRange(value.length, value.length)}
        role="combobox"
        aria-label={words.palette.title}
        aria-expanded
        aria-controls={list}
        aria-activedescendant={entries.length === 0 ? undefined : `${list}-${chosen}`}
        placeholder={words.palette.hint}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Refusal error={act.error} />
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
  const order = may('moderator') ? orderIn(text, words.palette.verbs) : null;
  const asked = useDeferredValue(order?.whom ?? text);
  const base = `/projects/${params.projectId}`;
  // Read anew each time the search is opened: what was found before may be out of date, and shows until the answer is there.
  const find = { enabled: asked !== '', staleTime: 0, placeholderData: (before: unknown) => before as never };
  const people = useQuery({
    ...find,
    queryKey: ['palette', 'people', params.projectId, asked],
    queryFn: async () =>
      (await client.call(participantRoutes.list, { params, query: { search: asked, limit: foundMax, marks: true } }))
        .participants,
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
  const cases = useQuery({
    ...find,
    enabled: find.enabled && may('moderator'),
    queryKey: ['palette', 'cases', params.projectId, asked],
    queryFn: async () =>
      (await client.call(caseRoutes.list, { params, query: { search: asked, limit: foundMax } })).cases,
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
  const ordering = order === null ? null : { params, words, order };
  const acts =
    ordering === null
      ? []
      : [
          ...(people.data ?? []).map((one) => ({ act: actOnPerson(one, ordering), detail: one.externalUserId })),
          ...(rooms.data ?? []).slice(0, foundMax).map((one) => ({ act: actOnRoom(one, ordering), detail: '' })),
          ...(cases.data ?? []).map((one) => ({ act: actOnCase(one, ordering), detail: '' })),
        ].flatMap(({ act, detail }) => (act === null ? [] : [{ ...act, detail, group: words.palette.acting }]));
  const at = (folder: string, id: string) => `${base}/${folder}/${encodeURIComponent(id)}`;
  return [
    ...acts,
    ...matching,
    ...(people.data ?? []).map(({ externalUserId, displayName }) => ({
      group: words.palette.people,
      label: displayName,
      detail: externalUserId,
      to: at('people', externalUserId),
    })),
    ...(order === null
      ? [{ group: words.palette.people, label: words.people.openExact(text), to: at('people', text) }]
      : []),
    ...(cases.data ?? []).map(({ id, category, externalUserId, roomId }) => ({
      group: words.palette.cases,
      label: kindWord(words, category),
      detail: externalUserId ?? roomId ?? '',
      to: at('cases', id),
    })),
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
