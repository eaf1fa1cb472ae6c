/**
 * The page behind an invitation's link, `GET /invitation#token=…`. The token stands in the fragment, which no server and no
 * proxy gets to see, and is sent in bodies alone; nothing that comes back is kept.
 */

import type { LoginResponse, UserInvitation } from '../../src/contract/identity/accounts.js';
import { shellWord } from '../../src/text/shell-word.js';
import { baseUrl } from '../base.js';
import { byId, make, within } from '../elements.js';
import { fillPage, words } from '../words/words.js';

fillPage();
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
const form = byId('acceptance', HTMLFormElement);
const button = within(form, 'button', HTMLButtonElement);
const password = byId('password', HTMLInputElement);

/** Throws what the daemon says, for people. */
async function post<Answer>(path: string, body: object): Promise<Answer> {
  const response = await fetch(`${baseUrl}/api/auth/invitations/${path}`, {
    method: 'POST',
    cache: 'no-store',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (response?.ok === true) return answer;
  // The account is being guessed at: it takes the code of an e-mail as well.
  if (answer?.code === 'login_code_sent')
    for (const element of form.querySelectorAll<HTMLElement>('.code')) element.hidden = false;
  throw new Error(answer?.message ?? words.unreachable);
}

const say = (id: string, text: string): void => {
  byId(id, HTMLElement).textContent = text;
};
const refuse = (error: unknown): void => say('told', error instanceof Error ? error.message : String(error));

function show({ invitedBy, project, role, email, expiresAt, hasAccount }: UserInvitation): void {
  const strong = (text: string) => make('strong', { children: [make('bdi', { text })] });
  const inviter = make('bdi', { text: invitedBy ?? words.somebody });
  byId('invited', HTMLElement).replaceChildren(...words.invites(inviter, strong(project), strong(role)));
  say('expires', words.validUntil(new Date(expiresAt).toLocaleString([], { dateStyle: 'long', timeStyle: 'short' })));
  byId('email', HTMLInputElement).value = email;
  for (const element of form.querySelectorAll<HTMLElement>('.new')) element.hidden = hasAccount;
  say('password-label', words.password(hasAccount));
  password.autocomplete = hasAccount ? 'current-password' : 'new-password';
  form.hidden = false;
}

async function accept(): Promise<void> {
  const displayName = byId('name', HTMLInputElement).value.trim();
  const code = byId('code', HTMLInputElement).value.trim();
  const given = {
    ...{ token, password: password.value },
    ...(displayName === '' ? {} : { displayName }),
    ...(code === '' ? {} : { code }),
  };
  const { user } = await post<LoginResponse>('accept', given);
  history.replaceState(null, '', location.pathname); // the token is used up
  form.hidden = true;
  const account = make('strong', { text: user.email });
  byId('ready', HTMLElement).replaceChildren(...words.accountReady(account));
  say('command', `earshot login --url=${shellWord(baseUrl)} --email=${shellWord(user.email)}`);
  byId('accepted', HTMLElement).hidden = false;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  say('told', '');
  button.disabled = true;
  accept()
    .catch(refuse)
    .finally(() => {
      button.disabled = false;
    });
});
addEventListener('hashchange', () => location.reload());

if (token === '') refuse(words.incompleteInvitation);
else post<UserInvitation>('read', { token }).then(show, refuse);
