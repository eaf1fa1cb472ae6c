/** Shows the console to whoever is signed in, and the sign-in to everybody else. */

import { Button } from '@mantine/core';
import { focusManager } from '@tanstack/react-query';
import { lazy, type PropsWithChildren, Suspense, useEffect, useRef, useState } from 'react';
import { baseUrl } from '../../base.js';
import { usePreferences } from '../frame/preferences.js';
import { accountLine, CliLine, CliSwitch } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { useWords } from '../words/words.js';
import { hasBeenIdle, useIdleLock } from './idle-lock.js';
import { comesFromProvider } from './provider.js';
import { startSession, useSession } from './session.js';
import { SignIn } from './sign-in.js';

const CodeQuestion = lazy(() => import('./code-question.js'));

export function Gate({ children }: PropsWithChildren) {
  const session = useSession();
  const words = useWords();
  const [refused, setRefused] = useState<string | null>(null);
  const [{ lockMinutes }] = usePreferences();
  const atStart = useRef({ words: words.signIn, isOver: hasBeenIdle(lockMinutes) });
  useIdleLock();
  const isInterrupted = session.kind === 'interrupted';
  // As in a window that nobody looks at: nothing is polled until somebody is back, and then it is read again.
  useEffect(() => focusManager.setFocused(isInterrupted ? false : undefined), [isInterrupted]);
  useEffect(() => {
    const { isOver } = atStart.current;
    if (!comesFromProvider()) return void startSession(isOver);
    const finish = import('./provider-login.js').then((login) => login.finishAtProvider(atStart.current.words));
    finish.catch(async (error: unknown) => {
      setRefused(error instanceof Error ? error.message : String(error));
      await startSession(isOver);
    });
  }, []);
  if (session.kind === 'starting') return null;
  if (session.kind === 'asked')
    return (
      <Suspense>
        <CodeQuestion />
      </Suspense>
    );
  if (session.kind === 'out')
    return (
      <main className="door">
        <h1>{words.console}</h1>
        <SignIn problem={refused ?? session.problem} />
        <CliSwitch />
        <CliLine line={accountLine('console', ['--url', baseUrl])} />
      </main>
    );
  const { user } = session;
  return (
    <>
      {children}
      {isInterrupted && (
        <Dialog opened title={words.signIn[session.because]} isOpaque>
          <p>
            {session.because === 'locked'
              ? words.signIn.lockedText(user.displayName)
              : words.signIn.endedText(user.displayName)}
          </p>
          <SignIn email={user.email} />
          <Button variant="subtle" size="compact-sm" mt="sm" onClick={() => location.assign(`${baseUrl}/console`)}>
            {words.signIn.other}
          </Button>
        </Dialog>
      )}
    </>
  );
}
