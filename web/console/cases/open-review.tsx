/** A review with everything needed to decide it. */
import { Button, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../src/client/errors.js';
import { reviewRoutes, type UpdateReviewRequest } from '../../../src/contract/moderation/reviews.js';
import { kindOf } from '../../../src/contract/moderation/sanction-kinds.js';
import { useColleagues, useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { Act } from '../parts/act.js';
import { CliLine, commandLine, Id } from '../parts/copy.js';
import { decidedIds } from '../parts/held.js';
import { useKeys } from '../parts/keys.js';
import { Page, Panel } from '../parts/page.js';
import { fieldError, Refusal } from '../parts/refusal.js';
import { useIntent } from '../parts/use-intent.js';
import { MessageList } from '../rooms/transcript.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import { CaseReports } from './case-reports.js';
import { useMe } from './queries.js';
import { ReviewedPanels, ReviewFacts } from './review-panels.js';

export function OpenReview({ id }: { readonly id: string }) {
  const words = useWords();
  const { params, may } = useProject();
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
  const next = useNextReview(id);
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
  useKeys({ n: () => next.start() });
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
  /** Of an appeal, what happens to the sanction. */
  const label = ({ decision, unfounded }: UpdateReviewRequest) => {
    if (!isAppeal) return words.cases[decision === 'upheld' ? 'uphold' : 'overturn'];
    if (unfounded === true) return words.cases.unfoundedAppeal;
    const name = review.sanction === null ? 'restriction' : kindOf(review.sanction.type).name;
    return words.cases[decision === 'upheld' ? 'keep' : 'lift'][name];
  };
  /** Without its answer an appeal is refused at once, at the field; what counts against the person is asked about. */
  const asked = (change: UpdateReviewRequest) => {
    if (isAppeal && answer.trim() === '') return {};
    if (change.unfounded === true) return { confirm: words.cases.unfoundedAppealText };
    return { held: `${person ?? id}: ${label(change)}` };
  };
  const decision = (verb: 'uphold' | 'overturn', shortcut: string, change: UpdateReviewRequest) => (
    <Act
      {...common}
      shortcut={shortcut}
      label={label(change)}
      {...asked(change)}
      run={decide(change)}
      undo={() => ({ label: words.done.decided(person ?? id), run: () => update({ status: 'claimed' }) })}
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
          {review === undefined ? words.cases.title : words.cases.reviewKinds[review.kind]} <Id id={id} />
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
              undo={() => ({
                label: words.done.act(words.cases.claim, person ?? id),
                run: () => update({ status: 'open' }),
              })}
              line={commandLine('reviews', 'claim', id)}
            />
          )}
          {isMine && (
            <Act
              {...common}
              label={words.cases.release}
              shortcut="r"
              run={() => update({ status: 'open' })}
              undo={() => ({
                label: words.done.act(words.cases.release, person ?? id),
                run: () => update({ status: 'claimed' }),
              })}
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
          <Button variant="default" onClick={() => next.start()}>
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
              <ReviewFacts review={review} nameOf={nameOf} />
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
            <ReviewedPanels review={review} nameOf={nameOf} />
          </div>
          <div className="stack">
            {review.case !== null && <CaseReports reports={review.case.reports} chosen={new Set()} />}
            <Panel title={words.cases.around}>
              {review.messages.length === 0 && <p className="quiet">{words.cases.noMessages}</p>}
              <MessageList
                lines={review.transcript.length === 0 ? review.messages : review.transcript}
                marked={review.messages.map((message) => message.id)}
                mark={words.cases.evidence}
              />
            </Panel>
          </div>
        </div>
      )}
    </Page>
  );
}

/** Leads to the next open review that is not being decided here at this moment, else to the list. */
function useNextReview(id: string) {
  const { params, project } = useProject();
  const navigate = useNavigate();
  return useIntent({
    rests: false,
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
}
