/** One session's transcript: linked to by line, heard, saved, and used as evidence. */
import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { annotationLabel } from '../../../src/client/annotation-label.js';
import { type Message, sessionRoutes } from '../../../src/contract/sessions/sessions.js';
import { transcriptFile, transcriptFileName, transcriptFormats } from '../../../src/text/transcript-file.js';
import { useProject } from '../frame/project.js';
import { Confidence } from '../parts/confidence.js';
import { CliLine, Copying, commandLine, Id } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { Page, Panel } from '../parts/page.js';
import { Refusal } from '../parts/refusal.js';
import { saveFile } from '../parts/save-file.js';
import { Sound } from '../parts/sound.js';
import { Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { PersonLink } from '../people/person-link.js';
import { useTranscript } from '../rooms/transcript.js';
import { SanctionForm } from '../sanctions/sanction-form.js';
import { client } from '../session/session.js';
import { useWords } from '../words/all-words.js';

/** As many messages are evidence of one sanction. */
const evidenceMax = 100;

export function OpenTranscript({ id }: { readonly id: string }) {
  const words = useWords();
  const { params, project, may } = useProject();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [sanctions, setSanctions] = useState(false);
  const { data: session, error } = useQuery({
    queryKey: ['sessions', params.projectId, 'one', id],
    queryFn: () => client.call(sessionRoutes.get, { params: { ...params, id } }),
  });
  const { data: lines, error: unread, refetch } = useTranscript(id, session?.status === 'active');
  const evidence = lines?.filter((line) => chosen.includes(line.id)) ?? [];
  const people = new Set(evidence.map(({ externalUserId }) => externalUserId));
  const person = people.size === 1 ? evidence[0]?.externalUserId : null;
  const choose = (line: string, isChosen: boolean) =>
    setChosen((before) => (isChosen ? [...before, line].slice(-evidenceMax) : before.filter((one) => one !== line)));
  return (
    <Page
      title={
        <>
          <bdi>{session?.title}</bdi> <Id id={id} />
        </>
      }
      actions={
        session !== undefined && (
          <>
            <span className="quiet">
              <Time at={session.createdAt} />
            </span>
            <Link to={`/projects/${project.id}/rooms/${encodeURIComponent(session.externalRoomId)}`}>
              <bdi>{session.externalRoomId}</bdi>
            </Link>
            <span className={`badge ${session.status === 'active' ? 'good' : ''}`}>
              {words.transcripts[session.status]}
            </span>
          </>
        )
      }
    >
      <Refusal error={error ?? unread} onRetry={() => void refetch()} />
      {lines !== undefined && (
        <Panel
          title={words.transcripts.lines(lines.length)}
          actions={lines.length > 0 && <SaveAs room={session?.externalRoomId ?? id} lines={lines} />}
        >
          {may('moderator') && chosen.length > 0 && (
            <div className="buttons">
              <span>{words.transcripts.chosen(chosen.length)}</span>
              {person == null ? (
                <span className="quiet">{words.transcripts.onePerson}</span>
              ) : (
                <Button size="compact-sm" onClick={() => setSanctions(true)}>
                  {words.transcripts.sanction}
                </Button>
              )}
            </div>
          )}
          {lines.length === 0 && <p className="quiet">{words.rooms.noWords}</p>}
          <Lines lines={lines} chosen={chosen} {...(may('moderator') ? { choose } : {})} />
          <CliLine line={commandLine('sessions', 'messages', id)} />
        </Panel>
      )}
      <Dialog
        opened={sanctions && person != null}
        onClose={() => setSanctions(false)}
        title={words.transcripts.sanction}
      >
        {person != null && (
          <SanctionForm
            person={person}
            messageIds={chosen}
            onDone={() => {
              setSanctions(false);
              setChosen([]);
            }}
          />
        )}
      </Dialog>
    </Page>
  );
}

function SaveAs({ room, lines }: { readonly room: string; readonly lines: readonly Message[] }) {
  const words = useWords().transcripts;
  return (
    <>
      <span className="quiet">{words.export}</span>
      {transcriptFormats.map((format) => (
        <Button
          key={format}
          size="compact-xs"
          variant="default"
          onClick={() => saveFile(transcriptFileName(room, lines, format), transcriptFile(lines, format))}
        >
          {format === 'text' ? words.text : format.toUpperCase()}
        </Button>
      ))}
    </>
  );
}

interface LinesProps {
  readonly lines: readonly Message[];
  readonly chosen: readonly string[];
  /** Left out: lines cannot be chosen. */
  readonly choose?: (line: string, isChosen: boolean) => void;
}

/** The lines in view; the one that the address names is scrolled to and marked. */
function Lines({ lines, chosen, choose }: LinesProps) {
  const { transcripts: words, screens } = useWords();
  const { params } = useProject();
  const [linked] = useFilter('message');
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 34,
    getItemKey: (index) => lines[index]?.id ?? index,
    overscan: 12,
  });
  const at = lines.findIndex(({ id }) => id === linked);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'center' });
  }, [at, virtual]);
  const inView = virtual.getVirtualItems();
  const lineUrl = (id: string) => `${location.origin}${location.pathname}?message=${id}`;
  return (
    <section
      ref={scroller}
      className="scrolling lines"
      aria-label={screens.transcripts}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
      tabIndex={0}
    >
      <ol
        className="list"
        style={{ paddingTop: inView[0]?.start ?? 0, paddingBottom: virtual.getTotalSize() - (inView.at(-1)?.end ?? 0) }}
      >
        {inView.map(({ index, key }) => {
          const line = lines[index];
          if (line === undefined) return null;
          const { id, timestamp, senderName, externalUserId, content, annotations = [], status } = line;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-current={id === linked ? 'true' : undefined}
            >
              {choose !== undefined && externalUserId !== null && (
                <Checkbox
                  size="xs"
                  aria-label={words.choose(senderName)}
                  checked={chosen.includes(id)}
                  onChange={(event) => choose(id, event.currentTarget.checked)}
                />
              )}
              <span className="line-time">
                <Time at={timestamp} />
              </span>
              <PersonLink id={externalUserId} name={senderName} isBrief />
              <bdi>{content}</bdi>
              {status !== null && status !== 'recognised' && <span className="badge warn">{status}</span>}
              <Confidence {...line} />
              {annotations.map((annotation) => (
                <span key={annotation.id} className="badge warn">
                  {annotationLabel(annotation)}
                </span>
              ))}
              <span className="end">
                {line.hasDebugAudio && (
                  <Sound
                    label={words.play(senderName)}
                    fetch={() =>
                      client.bytes(sessionRoutes.debugAudio, {
                        params: { ...params, id: line.sessionId, messageId: id },
                      })
                    }
                    line={commandLine('sessions', 'audio', line.sessionId, id, 'heard.wav')}
                  />
                )}
                <Copying value={lineUrl(id)} label={words.link} />
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
