/** Who was in the room at one moment, which the address keeps: lines and reports lead here. */
import { TextInput } from '@mantine/core';
import { roomVisitRoutes } from '../../../src/contract/rooms/room-visits.js';
import { useProject } from '../frame/project.js';
import { List } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { isoTime } from '../parts/iso-time.js';
import { Panel } from '../parts/page.js';
import { Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { PersonLink } from '../people/person-link.js';
import { useWords } from '../words/words.js';

/** `2026-01-01T10:00:00.000Z` → as a field of the browser has it, in the reader's own zone. */
function localOf(at: string): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

export function WhoWasHere({ roomId }: { readonly roomId: string }) {
  const words = useWords().rooms;
  const { params } = useProject();
  const [chosen, setChosen] = useFilter('at');
  const at = isoTime(new Date(chosen));
  const visits = useRead(
    roomVisitRoutes.list,
    { params: { ...params, roomId }, query: { since: at ?? '', until: at } },
    { enabled: at !== undefined },
  );
  return (
    <Panel
      title={words.whoWasHere}
      actions={
        <TextInput
          type="datetime-local"
          step={1}
          max="9999-12-31T23:59"
          aria-label={words.moment}
          value={at === undefined ? '' : localOf(at)}
          onChange={({ currentTarget: { value } }) => setChosen(isoTime(new Date(value)) ?? '')}
        />
      }
    >
      {at !== undefined && (
        <List of={visits} empty={words.nobodyThen} label={words.whoWasHere}>
          {({ externalUserId, displayName, joinedAt, here }) => (
            <li key={externalUserId}>
              <PersonLink id={externalUserId} name={displayName} />
              <span className="end quiet">
                {joinedAt !== null && (
                  <>
                    {words.since} <Time at={joinedAt} />
                  </>
                )}
                {here && <span className="badge good">{words.stillHere}</span>}
              </span>
            </li>
          )}
        </List>
      )}
      <CliLine line={commandLine('rooms', 'who', roomId, ['--since', at ?? 'TIME'], ['--until', at ?? 'TIME'])} />
    </Panel>
  );
}
