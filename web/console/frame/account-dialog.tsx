/** What the account menu opens: preferences of this browser, and the browsers that are signed in. */
import { NativeSelect, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { consoleSessionRoutes } from '../../../src/contract/identity/console-sessions.js';
import { Act } from '../parts/act.js';
import { List } from '../parts/answer.js';
import { accountLine, CliLine } from '../parts/copy.js';
import { Time } from '../parts/time.js';
import { client } from '../session/session.js';
import { useWords } from '../words/all-words.js';
import { usePreferences } from './preferences.js';

export default function AccountDialog() {
  return (
    <>
      <Preferences />
      <Sessions />
    </>
  );
}

function Preferences() {
  const words = useWords().account;
  const [{ density, language, lockMinutes }, change] = usePreferences();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <dl className="facts">
      <dt>{words.theme}</dt>
      <dd>
        <SegmentedControl
          size="xs"
          aria-label={words.theme}
          value={colorScheme}
          onChange={setColorScheme}
          data={[
            { value: 'auto', label: words.system },
            { value: 'light', label: words.light },
            { value: 'dark', label: words.dark },
          ]}
        />
      </dd>
      <dt>{words.density}</dt>
      <dd>
        <SegmentedControl
          size="xs"
          aria-label={words.density}
          value={density}
          onChange={(next) => change({ density: next })}
          data={[
            { value: 'compact', label: words.compact },
            { value: 'comfortable', label: words.comfortable },
          ]}
        />
      </dd>
      <dt>{words.language}</dt>
      <dd>
        <SegmentedControl
          size="xs"
          aria-label={words.language}
          value={language}
          onChange={(next) => change({ language: next })}
          data={[
            { value: 'en', label: 'English' },
            { value: 'de', label: 'Deutsch' },
          ]}
        />
      </dd>
      <dt>{words.lockAfter}</dt>
      <dd>
        <NativeSelect
          aria-label={words.lockAfter}
          value={String(lockMinutes)}
          onChange={(event) => change({ lockMinutes: Number(event.currentTarget.value) })}
          data={[0, 5, 15, 30, 60].map((minutes) => ({
            value: String(minutes),
            label: minutes === 0 ? words.lockNever : words.minutes(minutes),
          }))}
        />
      </dd>
    </dl>
  );
}

function Sessions() {
  const words = useWords().account;
  const key = ['console-sessions'];
  const sessions = useQuery({
    queryKey: key,
    queryFn: () => client.call(consoleSessionRoutes.list, {}),
  });
  return (
    <section>
      <h2>{words.sessions}</h2>
      <List of={sessions} empty="–">
        {({ id, device, network, lastUsedAt, current }) => (
          <li key={id}>
            <span>{device}</span> <span className="quiet">{network}</span> <Time at={lastUsedAt} />
            <span className="end">
              {current ? (
                <span className="badge">{words.thisBrowser}</span>
              ) : (
                <Act
                  label={words.endSession}
                  run={() => client.call(consoleSessionRoutes.revoke, { params: { consoleSessionId: id } })}
                  line={accountLine('auth', 'end-session', id)}
                />
              )}
            </span>
          </li>
        )}
      </List>
      <CliLine line={accountLine('auth', 'sessions')} />
    </section>
  );
}
