/** What a review is about: who asked and why, the sanction with what the person was told, and the case that led to it. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ReviewDetail } from '../../../src/contract/moderation/reviews.js';
import { useProject } from '../frame/project.js';
import { Panel } from '../parts/page.js';
import { Ago, Countdown, Time } from '../parts/time.js';
import { PersonLink } from '../people/person-link.js';
import { SanctionBadge } from '../sanctions/sanction-badge.js';
import { useWords } from '../words/words.js';

interface ReviewPartProps {
  readonly review: ReviewDetail;
  /** Names an account; empty for nobody. */
  readonly nameOf: (userId: string | null) => string;
}

export function ReviewFacts({ review, nameOf }: ReviewPartProps) {
  const words = useWords();
  const { note = null } = review;
  return (
    <dl className="facts">
      <dt>{words.person}</dt>
      <dd>
        <PersonLink id={review.externalUserId ?? review.participantId} />
      </dd>
      <dt>{words.status}</dt>
      <dd>
        <span className="badge accent">{words.cases[review.status]}</span>{' '}
        {review.decision !== null && <span className="badge good">{words.cases[review.decision]}</span>}{' '}
        <bdi>{nameOf(review.decidedByUserId ?? review.claimedByUserId)}</bdi>
      </dd>
      <dt>{words.cases.waits}</dt>
      <dd>{review.decidedAt === null ? <Ago at={review.createdAt} /> : <Time at={review.decidedAt} />}</dd>
      {review.statement !== null && <Written name={words.cases.statement}>{review.statement}</Written>}
      {review.inName && <Written name={words.cases.inName}>{review.createdBy ?? review.createdByUserId}</Written>}
      {note !== null && <Written name={words.note}>{note}</Written>}
    </dl>
  );
}

const Written = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>
      <bdi>{children}</bdi>
    </dd>
  </>
);

export function ReviewedPanels({ review, nameOf }: ReviewPartProps) {
  const { cases: texts } = useWords();
  return (
    <>
      {review.sanction !== null && <ReviewedSanction sanction={review.sanction} />}
      {review.told !== null && (
        <Panel title={texts.told}>
          <h3>
            <bdi>{review.told.title}</bdi>
          </h3>
          {review.told.text.split('\n').map((line) => (
            <p key={line}>
              <bdi>{line}</bdi>
            </p>
          ))}
        </Panel>
      )}
      {review.case !== null && <CaseThatLed led={review.case} nameOf={nameOf} />}
      {review.consequences.length > 0 && (
        <Panel title={texts.result}>
          {review.consequences.map(({ id, type, isActive }) => (
            <SanctionBadge key={id} type={type} isActive={isActive} />
          ))}
        </Panel>
      )}
    </>
  );
}

function ReviewedSanction({ sanction }: { readonly sanction: NonNullable<ReviewDetail['sanction']> }) {
  const words = useWords();
  const { type, isActive, reason, endAt, createdBy, createdAt, note = null } = sanction;
  return (
    <Panel title={words.cases.sanction}>
      <SanctionBadge type={type} isActive={isActive} /> <bdi>{reason}</bdi> {isActive && <Countdown at={endAt} />}{' '}
      <span className="quiet">
        <bdi>{createdBy}</bdi> <Time at={createdAt} />
      </span>
      {note !== null && (
        <p>
          {words.note}: <bdi>{note}</bdi>
        </p>
      )}
    </Panel>
  );
}

interface CaseThatLedProps extends Pick<ReviewPartProps, 'nameOf'> {
  readonly led: NonNullable<ReviewDetail['case']>;
}

function CaseThatLed({ led, nameOf }: CaseThatLedProps) {
  const words = useWords();
  const { project } = useProject();
  return (
    <Panel title={words.cases.case}>
      <p>
        <Link to={`/projects/${project.id}/cases/${led.id}`}>{words.cases.back}</Link>{' '}
        <span className="badge accent">{led.category}</span> {led.reasonCode} <bdi>{nameOf(led.decidedByUserId)}</bdi>
      </p>
      {led.note !== null && (
        <p>
          {words.note}: <bdi>{led.note}</bdi>
        </p>
      )}
    </Panel>
  );
}
