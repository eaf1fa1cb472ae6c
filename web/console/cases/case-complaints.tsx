/** Complaints of reporters about decisions on their reports, with what they reported, and the answer. */
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { complaintRoutes, type Report } from '../../../src/contract/reports/reports.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { commandLine } from '../parts/copy.js';
import { Panel } from '../parts/page.js';
import { fieldError } from '../parts/refusal.js';
import { Time } from '../parts/time.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import { ReportBody } from './case-reports.js';

export function CaseComplaints({ reports }: { readonly reports: readonly Report[] }) {
  const words = useWords().cases;
  if (reports.length === 0) return null;
  return (
    <Panel title={words.complaints}>
      {reports.map((report) => (
        <OneComplaint key={report.id} report={report} />
      ))}
    </Panel>
  );
}

function OneComplaint({ report }: { readonly report: Report }) {
  const words = useWords().cases;
  const { params, may } = useProject();
  const [answer, setAnswer] = useState('');
  const [refusal, setRefusal] = useState<unknown>(null);
  const { id } = report;
  const decide = (label: string, decision: 'upheld' | 'overturned') => (
    <Act
      {...{ about: id, onRefused: setRefusal, fields: ['answer'], label }}
      {...(answer.trim() === '' ? {} : { held: label })}
      run={() => client.call(complaintRoutes.decide, { params: { ...params, id }, body: { decision, answer } })}
      line={commandLine('reports', 'answer', id, ['--decision', decision], ['--answer', answer])}
    />
  );
  return (
    <section className="report">
      <p>
        <span className="badge accent">{report.category}</span>{' '}
        <span className="badge">{words.outcomes[report.outcome ?? 'no_action']}</span>{' '}
        <span className="quiet">
          <Time at={report.complainedAt ?? report.updatedAt} />
        </span>
      </p>
      <blockquote>
        <bdi>{report.complaint}</bdi>
      </blockquote>
      {may('moderator') && (
        <>
          <Textarea
            label={words.answerToReporter}
            autosize={false}
            rows={2}
            value={answer}
            onChange={(event) => setAnswer(event.currentTarget.value)}
            error={fieldError(refusal, 'answer')}
          />
          <div className="buttons">
            {decide(words.keepDecision, 'upheld')}
            {decide(words.lookAgain, 'overturned')}
          </div>
        </>
      )}
      <details className="report">
        <summary>{words.reported}</summary>
        <ReportBody report={report} />
      </details>
    </section>
  );
}
