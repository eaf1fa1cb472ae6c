/** A review with everything needed to decide it. */
import { Button, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../src/client/errors.js';
import { reviewRoutes, type UpdateReviewRequest } from '../../../src/contract/moderation/reviews.js';
import { useColleagues, useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { CliLine, commandLine, Id } from '../parts/copy.js';
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
  const queries = useQueryClient();
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
  const update = useMutation({
    mutationFn: (body: UpdateReviewRequest) => client.call(reviewRoutes.update, { params: { ...params, id }, body }),
    // After a refusal, too: somebody else was first, and the page shows what they did.
    onSettled: () => queries.invalidateQueries(),
  });
  const next = useMutation({
    mutationFn: () => client.call(reviewRoutes.list, { params, query: { status: 'open', limit: 2 } }),
    onSuccess: ({ reviews }) => {
      const other = reviews.find((one) => one.id !== id);
      void navigate({ to: `/projects/${project.id}/cases${other === undefined ? '' : `/${other.id}`}` });
    },
  });
  const isMine = review?.status === 'claimed' && review.claimedByUserId === me;
  const isAppeal = review?.kind === 'appeal';
  const texts = { ...(note === '' ? {} : { note }), ...(answer === '' ? {} : { answer }) };
  const decide = (decision: 'upheld' | 'overturned') => async () => {
    // One key decides: an open case is claimed on the way.
    if (review?.status === 'open') await update.mutateAsync({ status: 'claimed' });
    await update.mutateAsync({ status: 'decided', decision, ...texts });
  };
  const mayDecide = may('moderator') && (review?.status === 'open' || isMine);
  const caught = (work: () => Promise<unknown>) => () => void work().catch(() => {}); // shown as the refusal of `update`
  const claim = may('moderator') && review?.status === 'open' ? () => update.mutate({ status: 'claimed' }) : undefined;
  const [uphold, overturn] = mayDecide ? [caught(decide('upheld')), caught(decide('overturned'))] : [];
  useKeys({ l: claim, u: uphold, o: overturn, n: () => next.mutate() });
  const person = review?.externalUserId ?? review?.participantId ?? null;
  const nameOf = (userId: string | null) =>
    userId === null ? '' : userId === me ? words.cases.me : (names.get(userId) ?? userId);
  const wasDecidedByOther =
    update.error instanceof ApiError && /^review_(claimed|decided|not_claimed)$/.test(update.error.code);
  return (
    <Page
      title={
        <>
          {review?.kind ?? words.cases.title} <Id id={id} />
        </>
      }
      actions={
        <>
          {claim !== undefined && (
            <Button variant="default" onClick={claim}>
              {words.cases.claim}&nbsp;<kbd>l</kbd>
            </Button>
          )}
          {isMine && (
            <Button variant="default" onClick={() => update.mutate({ status: 'open' })}>
              {words.cases.release}
            </Button>
          )}
          {mayDecide && (
            <>
              <Button onClick={uphold} variant="default">
                {words.cases.uphold}&nbsp;<kbd>u</kbd>
              </Button>
              <Button onClick={overturn} variant="default">
                {words.cases.overturn}&nbsp;<kbd>o</kbd>
              </Button>
            </>
          )}
          {review?.status === 'decided' && review.decidedByUserId === me && may('moderator') && (
            <Button variant="default" onClick={() => update.mutate({ status: 'claimed' })}>
              {words.cases.reopen}
            </Button>
          )}
          <Button variant="default" onClick={() => next.mutate()}>
            {words.cases.next}&nbsp;<kbd>n</kbd>
          </Button>
        </>
      }
    >
      <Refusal error={error ?? update.error} fields={['note', 'answer']} />
      {wasDecidedByOther && <p className="notice">{words.cases.byOther}</p>}
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
                  error={fieldError(update.error, 'answer')}
                />
              )}
              {mayDecide && (
                <Textarea
                  label={words.cases.decidedNote}
                  autosize={false}
                  rows={2}
                  value={note}
                  onChange={(event) => setNote(event.currentTarget.value)}
                  error={fieldError(update.error, 'note')}
                />
              )}
              {may('moderator') &&
                ['claim', 'uphold', 'overturn'].map((verb) => (
                  <CliLine
                    key={verb}
                    line={commandLine(
                      'reviews',
                      verb,
                      id,
                      ...(answer === '' || verb === 'claim' ? [] : ['--answer', answer]),
                      ...(note === '' || verb === 'claim' ? [] : ['--note', note]),
                    )}
                  />
                ))}
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
