/** A review with everything needed to decide it. */
import { Button, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../src/client/errors.js';
import { reviewRoutes, type UpdateReviewRequest } from '../../../src/contract/moderation/reviews.js';
import { useColleagues, useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { Act } from '../parts/act.js';
import { CliLine, commandLine, Id } from '../parts/copy.js';
import { decidedIds } from '../parts/held.js';
import { useKeys } from '../parts/keys.js';
import { Page, Panel } from '../parts/page.js';
import { fieldError, Refusal } from '../parts/refusal.js';
import { Ago, Countdown, Time } from '../parts/time.js';
import { PersonLink } from '../people/person-link.js';
import { MessageList } from '../rooms/transcript.js';
import { SanctionBadge } from '../sanctions/sanction-badge.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import { useMe } from './queries.js';

export function OpenReview({ id }: { readonly id: string }) {
  const words = useWords();
  const { params, project, may } = useProject();
  const navigate = useNavigate();
  const me = useMe();
  const names = useColleagues();
  const [note, setNote] = useState('');
  const [answer, setAnswer] = useState('');
  const key = ['reviews', params.projectId];
  const { data: review, error } = useQuery({
    queryKey: [...key, 'one', id],
    queryFn: () => client.call(reviewRoutes.get, { params: { ...params, id } }),
  });
  useRefresh(key, 'review.', 'sanction.');
  const [refusal, setRefusal] = useState<unknown>(null);
  const update = (body: UpdateReviewRequest) => client.call(reviewRoutes.update, { params: { ...params, id }, body });
  const next = useMutation({
    mutationFn: async () => {
      const passed = new Set([id, ...decidedIds()]);
      const query = { status: 'open', limit: passed.size + 1 } as const;
      const { reviews } = await client.call(reviewRoutes.list, { params, query });
      return reviews.find((one) => !passed.has(one.id));
    },
    onSuccess: (other) => {
      void navigate({ to: `/projects/${project.id}/cases${other === undefined ? '' : `/${other.id}`}` });
    },
  });
  const isMine = review?.status === 'claimed' && review.claimedByUserId === me;
  const isAppeal = review?.kind === 'appeal';
  const texts = { ...(note === '' ? {} : { note }), ...(answer === '' ? {} : { answer }) };
  const decide = (change: UpdateReviewRequest) => async () => {
    // One key decides: an open case is claimed on the way.
    if (review?.status === 'open') await update({ status: 'claimed' });
    return update({ status: 'decided', ...change, ...texts });
  };
  const mayDecide = may('moderator') && (review?.status === 'open' || isMine);
  const mayClaim = may('moderator') && review?.status === 'open';
  useKeys({ n: () => next.mutate() });
  const person = review?.externalUserId ?? review?.participantId ?? null;
  const nameOf = (userId: string | null) =>
    userId === null ? '' : userId === me ? words.cases.me : (names.get(userId) ?? userId);
  /** Says who was first, and what they did. */
  const explain = async (error: unknown): Promise<string | null> => {
    if (!(error instanceof ApiError) || !/^review_(claimed|decided|not_claimed)$/.test(error.code)) return null;
    const now = await client.call(reviewRoutes.get, { params: { ...params, id } });
    return words.cases.firstBy(
      nameOf(now.decidedByUserId ?? now.claimedByUserId),
      words.cases[now.decision ?? now.status],
    );
  };
  const common = { about: id, onRefused: setRefusal, fields: ['note', 'answer'], isLarge: true, explain };
  const label = ({ decision, unfounded }: UpdateReviewRequest) =>
    words.cases[unfounded === true ? 'unfoundedAppeal' : decision === 'upheld' ? 'uphold' : 'overturn'];
  const decision = (verb: 'uphold' | 'overturn', shortcut: string, change: UpdateReviewRequest) => (
    <Act
      {...common}
      shortcut={shortcut}
      label={label(change)}
      // Without its answer an appeal is refused at once, at the field.
      {...(isAppeal && answer.trim() === '' ? {} : { held: `${person ?? id}: ${label(change)}` })}
      run={decide(change)}
      line={commandLine(
        ...['reviews', verb, id],
        ...(change.unfounded === true ? [['--unfounded'] as const] : []),
        ['--answer', answer],
        ['--note', note],
      )}
    />
  );
  return (
    <Page
      title={
        <>
          {review?.kind ?? words.cases.title} <Id id={id} />
        </>
      }
      actions={
        <>
          {mayClaim && (
            <Act
              {...common}
              label={words.cases.claim}
              shortcut="l"
              run={() => update({ status: 'claimed' })}
              line={commandLine('reviews', 'claim', id)}
            />
          )}
          {isMine && (
            <Act
              {...common}
              label={words.cases.release}
              shortcut="r"
              run={() => update({ status: 'open' })}
              line={commandLine('reviews', 'release', id)}
            />
          )}
          {mayDecide && decision('uphold', 'u', { decision: 'upheld' })}
          {mayDecide && isAppeal && decision('uphold', 'f', { decision: 'upheld', unfounded: true })}
          {mayDecide && decision('overturn', 'o', { decision: 'overturned' })}
          {review?.status === 'decided' && review.decidedByUserId === me && may('moderator') && (
            <Act
              {...common}
              label={words.cases.reopen}
              run={() => update({ status: 'claimed' })}
              line={commandLine('reviews', 'reopen', id)}
            />
          )}
          <Button variant="default" onClick={() => next.mutate()}>
            {words.cases.next}&nbsp;<kbd>n</kbd>
          </Button>
        </>
      }
    >
      <Refusal error={error ?? next.error} />
      {error instanceof ApiError && error.status === 404 && !may('moderator') && <p>{words.cases.forModerators}</p>}
      {review !== undefined && (
        <div className="columns">
          <div className="stack">
            <Panel title={words.cases.statement}>
              <dl className="facts">
                <dt>{words.person}</dt>
                <dd>
                  <PersonLink id={person} />
                </dd>
                <dt>{words.status}</dt>
                <dd>
                  <span className="badge accent">{words.cases[review.status]}</span>{' '}
                  {review.decision !== null && <span className="badge good">{words.cases[review.decision]}</span>}{' '}
                  <bdi>{nameOf(review.decidedByUserId ?? review.claimedByUserId)}</bdi>
                </dd>
                <dt>{words.cases.waits}</dt>
                <dd>{review.decidedAt === null ? <Ago at={review.createdAt} /> : <Time at={review.decidedAt} />}</dd>
                {review.statement !== null && (
                  <>
                    <dt>{words.cases.statement}</dt>
                    <dd>
                      <bdi>{review.statement}</bdi>
                    </dd>
                  </>
                )}
                {(review.note ?? null) !== null && (
                  <>
                    <dt>{words.note}</dt>
                    <dd>
                      <bdi>{review.note}</bdi>
                    </dd>
                  </>
                )}
              </dl>
              {mayDecide && isAppeal && (
                <Textarea
                  label={words.cases.answer}
                  autosize={false}
                  rows={2}
                  value={answer}
                  onChange={(event) => setAnswer(event.currentTarget.value)}
                  error={fieldError(refusal, 'answer')}
                />
              )}
              {mayDecide && (
                <Textarea
                  label={words.cases.decidedNote}
                  autosize={false}
                  rows={2}
                  value={note}
                  onChange={(event) => setNote(event.currentTarget.value)}
                  error={fieldError(refusal, 'note')}
                />
              )}
              <CliLine line={commandLine('reviews', 'get', id)} />
            </Panel>
            {review.sanction !== null && (
              <Panel title={words.cases.sanction}>
                <SanctionBadge type={review.sanction.type} isActive={review.sanction.isActive} />{' '}
                <bdi>{review.sanction.reason}</bdi>{' '}
                {review.sanction.isActive && <Countdown at={review.sanction.endAt} />}{' '}
                <span className="quiet">
                  <bdi>{review.sanction.createdBy}</bdi> <Time at={review.sanction.createdAt} />
                </span>
              </Panel>
            )}
            {review.consequences.length > 0 && (
              <Panel title={words.cases.result}>
                {review.consequences.map(({ id: consequence, type, isActive }) => (
                  <SanctionBadge key={consequence} type={type} isActive={isActive} />
                ))}
              </Panel>
            )}
          </div>
          <Panel title={words.cases.around}>
            {review.messages.length === 0 && <p className="quiet">{words.cases.noMessages}</p>}
            <MessageList
              lines={review.transcript.length === 0 ? review.messages : review.transcript}
              marked={review.messages.map((message) => message.id)}
              mark={words.cases.evidence}
            />
          </Panel>
        </div>
      )}
    </Page>
  );
}
