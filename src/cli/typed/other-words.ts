/** Commands by the words that people type for them elsewhere. */
import { ownValue } from '../../names/own-value.js';

const commands: Readonly<Record<string, readonly string[]>> = {
  bans: ['sanctions list --type ban --active'],
  banned: ['sanctions list --type ban --active'],
  gathering: ['gatherings list'],
  health: ['doctor'],
  history: ['sanctions history', 'participants history'],
  invite: ['users invite'],
  key: ['api-keys list'],
  keys: ['api-keys list'],
  log: ['audit list', 'events tail'],
  logs: ['audit list', 'events tail'],
  move: ['participants move'],
  person: ['who'],
  player: ['who', 'players get'],
  revoke: ['sanctions revoke', 'api-keys revoke'],
  room: ['rooms list', 'rooms watch'],
  session: ['sessions list'],
  signin: ['login'],
  sso: ['login', 'auth status'],
  user: ['who', 'users list'],
  watch: ['rooms watch', 'gatherings watch'],
  webhook: ['webhooks list'],
};

/** Verbs by other words; those that the topic has are meant. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  add: ['invite', 'create', 'set'],
  approve: ['uphold'],
  change: ['update', 'set'],
  create: ['add', 'set', 'invite'],
  decide: ['uphold', 'overturn'],
  delete: ['remove', 'revoke', 'cancel'],
  edit: ['update', 'set'],
  erase: ['delete', 'remove'],
  export: ['list'],
  find: ['search', 'list'],
  import: ['apply'],
  info: ['get', 'list'],
  ls: ['list'],
  merge: ['move'],
  new: ['create', 'add', 'set'],
  off: ['disable'],
  on: ['enable'],
  reject: ['overturn'],
  remove: ['delete', 'revoke', 'cancel'],
  rename: ['update', 'move'],
  replay: ['resend'],
  retry: ['resend', 'replay'],
  rm: ['delete', 'remove', 'revoke'],
  secret: ['rotate-secret'],
  show: ['get', 'list'],
  status: ['get', 'list', 'events'],
  transcript: ['messages'],
  update: ['set', 'change-role'],
  who: ['list'],
};

/** Command lines without `earshot`; `topic` is the known beginning, `names` are all commands, with colons. */
export function byOtherWords(topic: string, word: string, names: ReadonlySet<string>): string[] {
  if (topic === '') return [...(ownValue(commands, word) ?? [])];
  const within = (ownValue(verbs, word) ?? []).map((verb) => `${topic}:${verb}`).filter((name) => names.has(name));
  // `sanctions ban` is `ban`.
  const meant = within.length === 0 && names.has(word) ? [word] : within;
  return meant.map((name) => name.replaceAll(':', ' '));
}
