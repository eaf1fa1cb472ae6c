/** The reports of a case: what was said, by whom, how reliable they are, and the transcript around. */
import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reporterRoutes } from '../../../src/contract/reports/reporters.js';
import { type Report, reportRoutes } from '../../../src/contract/reports/reports.js';
import { spanOf } from '../../../src/text/span.js';
import { useProject } from '../frame/project.js';
import { List, readingOf } from '../parts/answer.js';
import { Confidence } from '../parts/confidence.js';
import { commandLine } from '../parts/copy.js';
import { Panel } from '../parts/page.js';
import { Sound } from '../parts/sound.js';
import { Time } from '../parts/time.js';
import { PersonLink, PersonName } from '../people/person-link.js';
import { Moment } from '../rooms/transcript.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import { kindWord } from './queries.js';

interface CaseReportsProps {
  readonly reports: readonly Report[];
  readonly chosen: ReadonlySet<string>;
  /** Left out: nothing can be chosen. */
  readonly onChoose?: ((id: string) => void) | undefined;
}

export function CaseReports({ reports, chosen, onChoose }: CaseReportsProps) {
  const words = useWords().cases;
  return (
    <Panel title={words.reports}>
      {reports.length === 0 && <p className="quiet">{words.noReports}</p>}
      {reports.map((report, index) => (
        <OneReport
          key={report.id}
          report={report}
          isFirst={index === 0}
          isChosen={chosen.has(report.id)}
          onChoose={onChoose === undefined ? undefined : () => onChoose(report.id)}
        />
      ))}
    </Panel>
  );
}

interface OneReportProps {
  readonly report: Report;
  readonly isFirst: boolean;
  readonly isChosen: boolean;
  readonly onChoose: (() => void) | undefined;
}

/** Reads what is in it once it is open: there may be hundreds. */
function OneReport({ report, isFirst, isChosen, onChoose }: OneReportProps) {
  const words = useWords();
  const { cases: texts } = words;
  const [isOpen, setOpen] = useState(isFirst);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)} className="report">
      <summary>
        <span className="badge accent">{kindWord(words, report.category)}</span>{' '}
        {report.reporterUserId === null ? texts.team : <PersonName id={report.reporterUserId} />}{' '}
        {report.repeats > 0 && <span className="badge">{texts.repeated(report.repeats)}</span>}{' '}
        {report.brigaded && <span className="badge warn">{texts.together}</span>}{' '}
        <span className="quiet">
          <Time at={report.createdAt} />
        </span>
      </summary>
      {isOpen && <ReportBody report={report} />}
      {onChoose !== undefined && <Checkbox size="xs" label={texts.choose} checked={isChosen} onChange={onChoose} />}
    </details>
  );
}

export function ReportBody({
  report: { id, words: said, reporterUserId, externalUserId, weight, roomId, createdAt },
}: {
  readonly report: Report;
}) {
  const words = useWords().cases;
  const { params } = useProject();
  const report = useQuery({
    queryKey: ['cases', params.projectId, 'report', id],
    queryFn: () => client.call(reportRoutes.get, { params: { ...params, id } }),
    staleTime: 60_000,
  });
  return (
    <>
      {said !== null && (
        <blockquote>
          <bdi>{said}</bdi>
        </blockquote>
      )}
      {reporterUserId !== null && <Reporter id={reporterUserId} weight={weight} />}
      <p className="quiet">
        {words.about} <PersonLink id={externalUserId} />
        {roomId !== null && (
          <>
            {' '}
            <bdi>{roomId}</bdi> <Moment roomId={roomId} at={createdAt} />
          </>
        )}
      </p>
      {(report.data?.sound.length ?? 0) > 0 && <h3>{words.soundOf}</h3>}
      <ul className="list">
        {(report.data?.sound ?? []).map(({ externalUserId: speaker, startedAt, seconds }) => (
          <li key={`${speaker} ${startedAt}`}>
            <span className="line-time">
              <Time at={startedAt} />
            </span>
            <PersonLink id={speaker} />
            <span className="quiet">{spanOf(Math.round(seconds), ' ')}</span>
            <span className="end">
              <Sound
                label={words.play(speaker)}
                fetch={() =>
                  client.bytes(reportRoutes.audio, { params: { ...params, id }, query: { externalUserId: speaker } })
                }
                line={commandLine('reports', 'audio', id, 'heard.wav', ['--user', speaker])}
              />
            </span>
          </li>
        ))}
      </ul>
      <List of={readingOf(report, ({ transcript }) => transcript)} empty={words.noLines} scrolls>
        {(line) => (
          <li key={line.messageId}>
            <span className="line-time">
              <Time at={line.saidAt} />
            </span>
            <PersonLink id={line.externalUserId} name={line.senderName} isBrief />
            <span>
              <bdi>{line.content}</bdi>
            </span>
            <Confidence asr={line.asr} />
            {line.named && <span className="badge accent">{words.evidence}</span>}
          </li>
        )}
      </List>
    </>
  );
}

/** Whether a report counts more than one of somebody unknown, whose weight is 1. */
const shareOf = (weight: number) => (weight > 1.05 ? 'more' : weight < 0.95 ? 'less' : 'same');

function Reporter({ id, weight }: { readonly id: string; readonly weight: number }) {
  const words = useWords().cases;
  const { params } = useProject();
  const { data } = useQuery({
    queryKey: ['cases', params.projectId, 'reporter', id],
    queryFn: () => client.call(reporterRoutes.get, { params: { ...params, externalUserId: id } }),
    staleTime: 60_000,
  });
  return (
    <p>
      <PersonLink id={id} />{' '}
      {data !== undefined && (
        <span className="quiet">
          {words.record(data.upheld, data.decided, data.unfounded)}; {words.weights[shareOf(weight)]}
        </span>
      )}{' '}
      {(data?.suspendedUntil ?? null) !== null && <span className="badge bad">{words.suspended}</span>}
    </p>
  );
}
