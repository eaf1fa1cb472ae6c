/** Records what the operator does by commands of `earshotd`, beside a running daemon or without one. */
import type { AdminHandler } from '../../platform/admin-operation.js';
import type { AccountStore } from '../identity/accounts/store.js';
import type { ProjectStore } from '../projects/store.js';
import { operatorActions } from './actions.js';
import type { AuditRecorder, EntryDraft } from './recorder.js';
import { type ActionTarget, changedFields, fieldsOf, nameOf } from './targets.js';

/** Operations that only read, and need no entry. */
const looks: readonly string[] = [
  'tenants.list',
  'plugins.list',
  'plugins.events',
  'jobs.list',
  'jobs.failing',
  'figures.count',
  'clock.steps',
  'events.skipped',
  'processes.faults',
  'work.set-aside',
  'database-files.look',
  'proxies.list',
  'speech.look',
  'support.describe',
  'users.list',
];

type Accounts = Pick<AccountStore, 'byEmail' | 'tenants'>;

const actor = { kind: 'operator', id: null, name: 'operator' } as const;

function targetsIn(action: string, input: unknown): ActionTarget[] {
  const given = fieldsOf(input);
  const one = (kind: string, value: unknown): ActionTarget[] => {
    const name = nameOf(value);
    return name === null ? [] : [{ kind, id: name, name }];
  };
  const isTenant = action.startsWith('tenants.');
  if (action === 'ids.rename') return [...one(String(given.kind), given.to), ...one(String(given.kind), given.from)];
  return [
    ...one('tenant', isTenant ? (given.name ?? given.tenant) : given.tenant),
    ...one('account', nameOf(given.email)?.toLowerCase()),
    ...one('plugin', isTenant ? null : (given.slug ?? fieldsOf(given.manifest).slug)),
  ];
}

/** null: the whole installation. */
async function tenantOf(input: unknown, accounts: Accounts): Promise<string | null> {
  const { email, tenant, name } = fieldsOf(input);
  const known = nameOf(email) === null ? null : ((await accounts.byEmail(String(email)))?.tenantId ?? null);
  if (known !== null) return known;
  const all = await accounts.tenants();
  const named = all.find((one) => [tenant, name].some((given) => given === one.id || given === one.name));
  const [only, another] = all;
  return named?.id ?? (nameOf(email) !== null && tenant === null && another === undefined ? (only?.id ?? null) : null);
}

/** The handlers, each recorded as it runs. */
export const recordedHandlers = (
  handlers: readonly AdminHandler[],
  recorder: Pick<AuditRecorder, 'record'>,
  accounts: Accounts,
  projects: Pick<ProjectStore, 'tenantOf'>,
): AdminHandler[] =>
  handlers.map(({ operation, run }) => {
    const { name: action } = operation;
    if (looks.includes(action)) return { operation, run };
    if (!operatorActions.includes(action)) throw new Error(`${action} stands in no list of the audit log.`);
    return {
      operation,
      run: async (question) => {
        const input = operation.input.safeParse(question);
        const given = input.success ? input.data : null;
        const changed = changedFields(given);
        const projectId = nameOf(fieldsOf(given).projectId);
        const tenantId = projectId === null ? await tenantOf(given, accounts) : await projects.tenantOf(projectId);
        const draft: EntryDraft = { tenantId, projectId, actor, address: null, requestId: null, action, changed };
        return recorder.record(
          {
            draft: () => draft,
            targets: () => targetsIn(action, given),
            tenantIn: (result) => (action === 'tenants.create' ? nameOf(fieldsOf(result).id) : null),
          },
          () => run(question),
        );
      },
    };
  });
