/**
 * The page behind an invitation's link, `GET /invitation#token=…`. The token stands in the fragment, which no server and no
 * proxy gets to see, and goes to `POST /api/auth/invitations/accept` alone; nothing that comes back is kept.
 */
const element = <E extends HTMLElement>(id: string, kind: new () => E): E => {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${id}.`);
  return found;
};

const form = element('acceptance', HTMLFormElement);
const button = form.querySelector('button');
const refusal = element('told', HTMLElement);

const text = (value: unknown, ...path: string[]): string => {
  const found = path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    value,
  );
  return typeof found === 'string' ? found : '';
};

async function accept(token: string): Promise<void> {
  const name = element('name', HTMLInputElement).value.trim();
  const password = element('password', HTMLInputElement).value;
  const response = await fetch('/api/auth/invitations/accept', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, password, ...(name === '' ? {} : { displayName: name }) }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) {
    refusal.textContent = text(answer, 'message');
    return;
  }
  const email = text(answer, 'user', 'email');
  history.replaceState(null, '', location.pathname); // the token is used up
  form.hidden = true;
  element('email', HTMLElement).textContent = email;
  element('command', HTMLElement).textContent = `earshot login --url ${location.origin} --email ${email}`;
  element('accepted', HTMLElement).hidden = false;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  refusal.textContent = token === '' ? 'The link is not whole. Open it as it stands in the invitation.' : '';
  if (token === '' || button === null) return;
  button.disabled = true;
  accept(token)
    .catch(() => {
      refusal.textContent = 'Earshot does not answer. Try again in a moment.';
    })
    .finally(() => {
      button.disabled = false;
    });
});
