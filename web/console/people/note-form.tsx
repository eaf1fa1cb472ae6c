import { Button, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { participantRecordRoutes } from '../../../src/contract/people/participant-records.js';
import { personRoutes } from '../../../src/contract/people/person.js';
import { useProject } from '../frame/project.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { fieldError, Refusal } from '../parts/refusal.js';
import { offerUndo } from '../parts/undo.js';
import { useIntent } from '../parts/use-intent.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';

/** Adds a note for moderators about somebody. */
export function NoteForm({ user, onDone }: { readonly user: string; readonly onDone: () => void }) {
  const words = useWords();
  const { params } = useProject();
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const add = useIntent({
    mutationFn: async (sent: string) => {
      const { participant } = await client.call(personRoutes.get, { params: { ...params, user } });
      if (participant === null) throw new Error(words.rooms.notParticipant);
      const { id } = participant;
      const note = await client.call(participantRecordRoutes.addNote, {
        params: { ...params, id },
        body: { text: sent },
      });
      offerUndo({
        label: words.done.act(words.people.addNote, participant.displayName),
        run: () => client.call(participantRecordRoutes.removeNote, { params: { ...params, id, noteId: note.id } }),
      });
    },
    onSuccess: (_, sent) => {
      setText((now) => (now === sent ? '' : now));
      void queries.invalidateQueries({ queryKey: ['person', params.projectId] });
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.start(text);
  };
  return (
    <form className="form" onSubmit={submit}>
      <Textarea
        label={words.note}
        autosize={false}
        rows={2}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={fieldError(add.error, 'text')}
      />
      <Refusal error={add.error} fields={['text']} />
      <div className="buttons">
        <Button type="submit" variant="default" loading={add.isPending}>
          {words.people.addNote}
        </Button>
      </div>
      <CliLine line={commandLine('participants', 'notes', 'add', user, text === '' ? 'TEXT' : text)} />
    </form>
  );
}
