/** What the person of a case said lately, and what colleagues noted about them. */
import { Link } from '@tanstack/react-router';
import { personRoutes } from '../../../src/contract/people/person.js';
import { useProject } from '../frame/project.js';
import { List, readingOf } from '../parts/answer.js';
import { Panel } from '../parts/page.js';
import { Time } from '../parts/time.js';
import { useRead } from '../parts/use-read.js';
import { useWords } from '../words/words.js';

export function PersonLately({ user }: { readonly user: string }) {
  const { cases: words, people } = useWords();
  const { params, project } = useProject();
  const person = useRead(
    personRoutes.get,
    { params: { ...params, user } },
    { after: ['message.', 'participant.', 'sanction.'] },
  );
  return (
    <>
      <Panel title={words.lately}>
        <List of={readingOf(person, ({ lastWords }) => lastWords ?? [])} empty={words.nothingLately}>
          {({ id, sessionId, timestamp, content }) => (
            <li key={id}>
              <Link className="line-time" to={`/projects/${project.id}/transcripts/${sessionId}?message=${id}`}>
                <Time at={timestamp} />
              </Link>
              <bdi>{content}</bdi>
            </li>
          )}
        </List>
      </Panel>
      <Panel title={people.notes}>
        <List of={readingOf(person, ({ notes }) => (notes ?? []).toReversed())} empty={people.noNotes}>
          {({ id, text, writtenBy, createdAt }) => (
            <li key={id}>
              <bdi>{text}</bdi>
              <span className="quiet end">
                <bdi>{writtenBy}</bdi> <Time at={createdAt} />
              </span>
            </li>
          )}
        </List>
      </Panel>
    </>
  );
}
