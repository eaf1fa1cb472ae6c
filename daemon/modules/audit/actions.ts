/** Actions that a filter selects. Pure. */
import { allRoutes } from '../../../src/contract/routes.js';

/** Actions that the operator carries out by commands of `earshotd`. */
export const operatorActions: readonly string[] = [
  'users.create',
  'users.reset-password',
  'users.set-disabled',
  'users.unlink',
  'tenants.create',
  'tenants.set-disabled',
  'plugins.install',
  'plugins.uninstall',
  'ids.rename',
  'jobs.resume',
  'webhooks.release',
  'key.renew',
  'rotate-key',
  'key.export',
];

/**
 * Exact, or the beginning with a trailing `*`; null: all. The actions with that beginning are looked up here, because
 * LIKE patterns differ between databases.
 */
export function actionsMeant(text: string): readonly string[] | null {
  if (!text.endsWith('*')) return [text];
  const beginning = text.slice(0, -1);
  if (beginning === '') return null;
  return [...allRoutes.map(({ operationId }) => operationId), ...operatorActions].filter((one) =>
    one.startsWith(beginning),
  );
}
