/** What is known of a case: its facts with the note, what its reporters share, and the reviews in it. */
import { Checkbox, Textarea } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CaseDetail, CaseProposal } from '../../../src/contract/reports/cases.js';
import { spanOf } from '../../../src/text/span.js';
import { useColleagues, useProject } from '../frame/project.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { Panel } from '../parts/page.js';
import { fieldError } from '../parts/refusal.js';
import { Ago, Time } from '../parts/time.js';
import { PersonLink } from '../people/person-link.js';
import { SanctionBadge } from '../sanctions/sanction-badge.js';
import { useWords } from '../words/words.js';
import type { CaseWork } from './case-work.js';
import { reasonsOf } from './urgency.js';

export function CaseFacts({ work }: { readonly work: CaseWork<CaseDetail> }) {
  const words = useWords();
  const { cases: texts } = words;
  const { found, note, rights } = work;
  return (
    <Panel title={texts.case}>
      <dl className="facts">
        <dt>{texts.why}</dt>
        <dd>{reasonsOf(words, found)}</dd>
        <CaseState found={found} me={rights.me} />
        <dt>{texts.waits}</dt>
        <dd>{found.decidedAt === null ? <Ago at={found.createdAt} /> : <Time at={found.decidedAt} />}</dd>
        <dt>{texts.due}</dt>
        <dd>
          <Time at={found.dueAt} /> {found.missedAt !== null && <span className="badge bad">{texts.overdue}</span>}
        </dd>
        {found.proposal !== null && <Proposed proposal={found.proposal} />}
        {found.note !== null && (
          <Fact name={words.note}>
            <bdi>{found.note}</bdi>
          </Fact>
        )}
        <CaseLinks found={found} />
      </dl>
      {(rights.mayDecide || rights.mayConfirm || note !== '') && (
        <Textarea
          label={texts.decidedNote}
          autosize={false}
          rows={2}
          value={note}
          onChange={(event) => work.setNote(event.currentTarget.value)}
          error={fieldError(work.refusal, 'note')}
        />
      )}
      <CliLine line={commandLine('cases', 'get', found.id)} />
    </Panel>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

/** The state of the case, who brought it there, and who must decide it. */
function CaseState({ found, me }: { readonly found: CaseDetail; readonly me: string }) {
  const words = useWords();
  const { cases: texts } = words;
  const names = useColleagues();
  const nameOf = (userId: string | null) =>
    userId === null ? '' : userId === me ? texts.me : (names.get(userId) ?? userId);
  return (
    <>
      <dt>{words.status}</dt>
      <dd>
        <span className="badge accent">{texts[found.status]}</span>{' '}
        {found.decision !== null && (
          <span className="badge good">
            {texts.decisions[found.decision]}
            {found.reasonCode !== null && `: ${texts.reasonCodes[found.reasonCode]}`}
          </span>
        )}{' '}
        <bdi>{nameOf(found.decidedByUserId ?? found.proposedByUserId ?? found.claimedByUserId)}</bdi>
      </dd>
      {found.escalatedTo !== null && <Fact name={texts.escalatedTo}>{texts.roles[found.escalatedTo]}</Fact>}
    </>
  );
}

/** What a second person confirms or turns down. */
function Proposed({ proposal }: { readonly proposal: CaseProposal }) {
  const words = useWords();
  const { reasonCode, sanction, note } = proposal;
  const { type, duration, reason, template, ground } = sanction;
  return (
    <>
      <Fact name={words.cases.proposed}>
        <SanctionBadge type={type} isActive={false} /> {duration === undefined ? words.never : spanOf(duration)}{' '}
        <span className="quiet">{words.cases.reasonCodes[reasonCode]}</span>
      </Fact>
      <Fact name={words.reason}>
        <bdi>{[reason ?? template, ground?.reference].filter((one) => one !== undefined).join(' · ')}</bdi>
      </Fact>
      {note !== null && (
        <Fact name={words.note}>
          <bdi>{note}</bdi>
        </Fact>
      )}
    </>
  );
}

/** Links to what came of the case. */
function CaseLinks({ found: { status, sanctionId, mergedIntoId } }: { readonly found: CaseDetail }) {
  const { cases: texts } = useWords();
  const { project } = useProject();
  return (
    <>
      {sanctionId !== null && (
        <Fact name={status === 'unconfirmed' ? texts.heldMeanwhile : texts.sanction}>
          <Link to={`/projects/${project.id}/sanctions/${sanctionId}`}>{texts.toSanction}</Link>
        </Fact>
      )}
      {mergedIntoId !== null && (
        <Fact name={texts.decisions.merged}>
          <Link to={`/projects/${project.id}/cases/${mergedIntoId}`}>{texts.back}</Link>
        </Fact>
      )}
    </>
  );
}

/** What the reporters of the case have in common. */
export function SharedPanel({ found }: { readonly found: CaseDetail }) {
  const { cases: texts } = useWords();
  if (found.shared.length === 0) return null;
  return (
    <Panel title={texts.shared}>
      <ul className="list">
        {found.shared.map(({ what, about, reporters }) => (
          <li key={`${what} ${about} ${reporters.join()}`}>
            <span className="badge warn">{texts.sharedBy(reporters.length, found.reporters)}</span>
            {what === 'gathering' ? texts.sharedGathering : texts.sharedReports}
            {about !== null && <PersonLink id={about} />}
            {reporters.map((reporter) => (
              <PersonLink key={reporter} id={reporter} />
            ))}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface ReviewPanelsProps {
  readonly found: CaseDetail;
  readonly chosen: ReadonlySet<string>;
  /** Left out: nothing of the case can be split off. */
  readonly onChoose?: ((id: string) => void) | undefined;
}

/** The appeals and the other reviews in the case. */
export function ReviewPanels({ found, chosen, onChoose }: ReviewPanelsProps) {
  const { cases: texts } = useWords();
  const { project } = useProject();
  return (['appeal', 'human_review'] as const)
    .map((kind) => ({ kind, ofKind: found.reviewList.filter((review) => review.kind === kind) }))
    .filter(({ ofKind }) => ofKind.length > 0)
    .map(({ kind, ofKind }) => (
      <Panel key={kind} title={kind === 'appeal' ? texts.appeals : texts.reviews}>
        <ul className="list">
          {ofKind.map((review) => (
            <li key={review.id}>
              <span className="badge accent">{texts.reviewKinds[kind]}</span>
              <Link to={`/projects/${project.id}/cases/${review.id}`}>
                <bdi>{review.statement ?? review.externalUserId ?? review.id}</bdi>
              </Link>
              <span className="badge">{texts[review.decision ?? review.status]}</span>
              {onChoose !== undefined && (
                <Checkbox
                  size="xs"
                  label={texts.choose}
                  checked={chosen.has(review.id)}
                  onChange={() => onChoose(review.id)}
                />
              )}
            </li>
          ))}
        </ul>
      </Panel>
    ));
}
