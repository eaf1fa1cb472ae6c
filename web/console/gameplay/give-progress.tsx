import { Button } from '@mantine/core';
import { useState } from 'react';
import { playerRoutes } from '../../../src/contract/gameplay/players.js';
import { useProject } from '../frame/project.js';
import { commandLine } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { SchemaForm } from '../parts/schema-form.js';
import { client } from '../session/session.js';
import { useWords } from '../words/all-words.js';

interface GiveProgressProps {
  readonly userId: string;
  readonly challengeId: string;
  readonly name: string;
}

/** Gives progress that was lost, or sets it to another count, with a reason. */
export function GiveProgress({ userId, challengeId, name }: GiveProgressProps) {
  const own = useWords().gameplay;
  const { params } = useProject();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={() => setOpened(true)}>
        {own.giveProgress}…
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title={`${own.giveProgress}: ${name}`}>
        <SchemaForm
          schema={playerRoutes.setProgress.body}
          send={(body) =>
            client.call(playerRoutes.setProgress, { params: { ...params, userId, id: challengeId }, body })
          }
          onDone={() => setOpened(false)}
          submit={own.giveProgress}
          line={(_, { counter, add, reason = 'REASON' }) =>
            commandLine(
              ...['players', add === undefined ? 'set-progress' : 'grant', userId, name],
              String(add ?? counter ?? 'COUNT'),
              ['--reason', String(reason)],
            )
          }
        />
      </Dialog>
    </>
  );
}
