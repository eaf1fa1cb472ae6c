import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { roomAnnouncementRoutes } from '../../../src/contract/rooms/room-announcements.js';
import { useProject } from '../frame/project.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { fieldError, Refusal } from '../parts/refusal.js';
import { useIntent } from '../parts/use-intent.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';

interface AnnouncementProps {
  readonly roomIds: readonly string[];
  readonly onDone: () => void;
}

/** Shows a text in these rooms, one after the other. */
export function Announcement({ roomIds, onDone }: AnnouncementProps) {
  const words = useWords().rooms;
  const { params } = useProject();
  const [text, setText] = useState('');
  /** Rooms that have the text already, which a repeat after a refusal leaves out. */
  const told = useRef(new Set<string>());
  const announce = useIntent({
    mutationFn: async () => {
      for (const roomId of roomIds.filter((one) => !told.current.has(one))) {
        await client.call(roomAnnouncementRoutes.announce, { params: { ...params, roomId }, body: { text } });
        told.current.add(roomId);
      }
    },
    onSuccess: onDone,
  });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    announce.start();
  };
  return (
    <form className="form" onSubmit={submit}>
      <Textarea
        data-autofocus
        label={roomIds.length === 1 ? words.announceText : words.announceTexts(roomIds.length)}
        autosize={false}
        rows={3}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          told.current.clear();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
        error={fieldError(announce.error, 'text')}
      />
      <Refusal error={announce.error} fields={['text']} />
      <div className="buttons">
        <Button type="submit" loading={announce.isPending}>
          {words.announce}
        </Button>
      </div>
      {roomIds.map((roomId) => (
        <CliLine key={roomId} line={commandLine('rooms', 'announce', roomId, text === '' ? 'TEXT' : text)} />
      ))}
    </form>
  );
}
