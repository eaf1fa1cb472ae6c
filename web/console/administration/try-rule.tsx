/** Runs the rule as it is typed over stored transcripts: nothing is stored or done. */
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type RuleTestReport, runRuleTest } from '../../../src/client/rule-test.js';
import type { RuleTestRequest } from '../../../src/contract/rules/rule-tests.js';
import type { Rule } from '../../../src/contract/rules/rules.js';
import { useProject } from '../frame/project.js';
import { known } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { Facts } from '../parts/facts.js';
import { PlainTable } from '../parts/plain-table.js';
import { Refusal } from '../parts/refusal.js';
import { Time } from '../parts/time.js';
import { useIntent } from '../parts/use-intent.js';
import { PersonLink } from '../people/person-link.js';
import { client, daemonNow } from '../session/session.js';
import { useWords } from '../words/all-words.js';

const days = 30;
const dayMs = 86_400_000;
const shownMax = 100;

interface TryOnPastProps {
  /** The rule to compare with, and whose fields hold where the form leaves them. */
  readonly rule?: Rule;
  readonly body: Readonly<Record<string, unknown>>;
}

export function TryOnPast({ rule, body }: TryOnPastProps) {
  const own = useWords().administration;
  const { project, may } = useProject();
  const [judged, setJudged] = useState(0);
  const run = useIntent({
    mutationFn: ({ signal }: AbortController) => {
      setJudged(0);
      const { definition, exempt, sanctionsPerHourMax } = { ...rule, ...body } as Omit<RuleTestRequest, 'place'>;
      const now = daemonNow();
      return runRuleTest(client, {
        projectId: project.id,
        request: {
          ...{ definition, exempt: exempt ?? [], sanctionsPerHourMax: sanctionsPerHourMax ?? 20 },
          ...(rule === undefined ? {} : { ruleId: rule.id }),
          since: new Date(now - days * dayMs).toISOString(),
          until: new Date(now).toISOString(),
        },
        onPage: (messages) => {
          signal.throwIfAborted();
          setJudged(messages);
        },
      });
    },
  });
  const over = useRef<AbortController>(null);
  useEffect(() => () => over.current?.abort(), []);
  const begin = () => {
    over.current = new AbortController();
    run.start(over.current);
  };
  const close = () => {
    over.current?.abort();
    run.reset();
  };
  if (!may('moderator')) return null;
  return (
    <>
      <Button variant="default" onClick={begin}>
        {own.tryOnPast(days)}
      </Button>
      <Dialog opened={!run.isIdle} onClose={close} title={own.tryOnPast(days)} size="lg">
        <Refusal error={run.error} />
        {run.isPending && <p role="status">{own.judged(judged)}</p>}
        {run.data !== undefined && <Report report={run.data} />}
        <CliLine line={commandLine('rules', 'test', ['-f', 'rule.yaml'], ['--against', `sessions:${days}d`])} />
      </Dialog>
    </>
  );
}

function Report({
  report: { messages, matches, pairs, precision, recall, diff },
}: {
  readonly report: RuleTestReport;
}) {
  const own = useWords().administration;
  const share = (value: number | null) => (value === null ? own.nobodyDecided : value.toFixed(2));
  return (
    <>
      <Facts
        of={[
          [own.messages, messages],
          [own.matches, matches.length],
          [own.againstPeople, own.pairs(pairs)],
          [own.precision, share(precision)],
          [own.recall, share(recall)],
          ...(diff === null
            ? []
            : [[own.compared, own.differs(diff.added.length, diff.removed.length, diff.changed.length)] as const]),
        ]}
      />
      <PlainTable
        head={[own.when, own.who, own.what]}
        of={known(
          matches
            .slice(0, shownMax)
            .map(({ at, externalUserId, actions }) => [
              <Time key="at" at={at} />,
              <PersonLink key="who" id={externalUserId} />,
              actions
                .map(({ sanction, review }) => sanction?.type ?? (review === undefined ? 'webhook' : 'review'))
                .join(', '),
            ]),
        )}
        empty={own.noMatches}
      />
    </>
  );
}
