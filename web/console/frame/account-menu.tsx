import { ActionIcon, Menu } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import { lock, signOut, useSession } from '../session/session.js';
import { useWords } from '../words/words.js';

const AccountDialog = lazy(() => import('./account-dialog.js'));

export function AccountMenu({ onKeys }: { readonly onKeys: () => void }) {
  const words = useWords().frame;
  const session = useSession();
  const [shows, setShows] = useState(false);
  const email = 'user' in session ? session.user.email : '';
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={words.account}>
            <Icon name="user" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{email}</Menu.Label>
          <Menu.Item onClick={() => setShows(true)}>{words.account}…</Menu.Item>
          <Menu.Item onClick={onKeys} rightSection={<kbd>?</kbd>}>
            {words.keys}
          </Menu.Item>
          <Menu.Item onClick={() => void lock()}>{words.lock}</Menu.Item>
          <Menu.Item onClick={() => void signOut()}>{words.signOut}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={shows} onClose={() => setShows(false)} title={email} size="lg">
        <Suspense>
          <AccountDialog />
        </Suspense>
      </Dialog>
    </>
  );
}
