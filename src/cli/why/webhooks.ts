/** Why a webhook does not arrive: its state, and what the receiver answered last. */
import { type WebhookEvent, webhookEventRoutes } from '../../contract/webhooks/webhook-events.js';
import { type WebhookSubscription, webhookRoutes } from '../../contract/webhooks/webhooks.js';
import { shellWord } from '../../text/shell-word.js';
import { namedBy } from '../names/candidates.js';
import type { Lookup } from '../names/lookup.js';
import { sourceOf } from '../names/sources.js';
import { bad, type Examined, type Finding, good } from './finding.js';
import { findJobs } from './jobs.js';

const failuresShown = 3;
const deliveriesSeen = 50;

export async function examineWebhooks(lookup: Lookup, typed: string): Promise<Examined[]> {
  const { find } = await sourceOf('webhook');
  const meant = new Set(namedBy(typed, await find(lookup, typed)).map(({ id }) => id));
  if (meant.size === 0) return [];
  const all = await lookup.client.call(webhookRoutes.list, { params: { projectId: await lookup.projectId() } });
  return Promise.all(
    all.filter(({ id }) => meant.has(id)).map((one) => examine(lookup, one, shellWord(typedName(one, all)))),
  );
}

/** Returns the text to type for a webhook: a name that no other one has. */
function typedName({ id, url, description }: WebhookSubscription, all: readonly WebhookSubscription[]): string {
  const isOnly = (name: string) => all.filter((one) => one.url === name || one.description === name).length === 1;
  return [description, url].find((name) => name !== null && isOnly(name)) ?? id;
}

async function examine(lookup: Lookup, subscription: WebhookSubscription, name: string): Promise<Examined> {
  const { id, url, enabled, disabledReason, failingSince, events } = subscription;
  const findings: Finding[] = [];
  if (!enabled) findings.push(bad(whyDisabled[disabledReason ?? 'requested'], `earshot webhooks enable ${name}`));
  if (failingSince !== null) findings.push(bad(`Nothing has been delivered since ${failingSince}.`));
  findings.push(...(await failures(lookup, id, name)), ...(await setAside(lookup, id, name)));
  findings.push(...(await findJobs(lookup, ({ subject }) => subject === id)));
  if (findings.length === 0) findings.push(good(`Events of ${events.join(', ')} are delivered.`));
  else
    findings.push({
      ok: true,
      says: 'Missed events can be sent again.',
      remedy: `earshot webhooks replay ${name} --since yesterday`,
    });
  return { subject: `webhook ${url}`, findings };
}

/** Deliveries that the daemon does not attempt any more, because it crashed twice during them. */
async function setAside({ client, projectId }: Lookup, subscriptionId: string, name: string): Promise<Finding[]> {
  const query = { subscriptionId, status: 'set_aside', limit: deliveriesSeen } as const;
  const found = await client.call(webhookEventRoutes.list, { params: { projectId: await projectId() }, query });
  const [first, ...others] = found;
  if (first === undefined) return [];
  return [
    bad(
      `${first.eventType} of ${first.createdAt}${before(others.length)}: the daemon crashed twice while it sent ${others.length === 0 ? 'it, so it was' : 'them, so they were'} set aside.`,
      others.length === 0 ? `earshot webhooks resend ${first.id}` : `earshot webhooks replay ${name} --failed`,
    ),
  ];
}

const whyDisabled = {
  requested: 'Somebody has disabled it.',
  gone: 'It was disabled because the receiver answered 410 (gone).',
  failing: 'It was disabled because nothing was delivered for five days.',
} as const;

/** Why the last deliveries failed, each reason with what the receiver answered; one that repeats itself is said once. */
async function failures({ client, projectId }: Lookup, subscriptionId: string, name: string): Promise<Finding[]> {
  const params = { projectId: await projectId() };
  const wanted = (status: 'failed' | 'pending') =>
    client.call(webhookEventRoutes.list, { params, query: { subscriptionId, status, limit: deliveriesSeen } });
  const [failed, pending] = await Promise.all([wanted('failed'), wanted('pending')]);
  const found = [...inARow(failed), ...inARow(pending.filter(({ lastError }) => lastError !== null))];
  return Promise.all(
    found.slice(0, failuresShown).map(async (alike) => {
      const [{ id, eventType, createdAt, lastError }, ...earlier] = alike;
      const { deliveries } = await client.call(webhookEventRoutes.get, { params: { ...params, id } });
      const last = deliveries.at(-1);
      const why =
        last?.statusCode != null
          ? `the receiver answered ${last.statusCode}`
          : (last?.error ?? lastError ?? 'for an unknown reason');
      return bad(
        `${eventType} of ${createdAt}${before(earlier.length)}: ${why}. ${next(alike)}`,
        remedyFor(last?.statusCode ?? null, why, { id, name, isOne: earlier.length === 0 }),
      );
    }),
  );
}

type Alike = [WebhookEvent, ...WebhookEvent[]];

/** Deliveries one after the other that failed for the same reason. */
function inARow(deliveries: readonly WebhookEvent[]): Alike[] {
  const rows: Alike[] = [];
  for (const one of deliveries) {
    const row = rows.at(-1);
    if (row?.[0].lastError === one.lastError) row.push(one);
    else rows.push([one]);
  }
  return rows;
}

const before = (earlier: number): string =>
  earlier === 0 ? '' : ` and ${earlier + 1 < deliveriesSeen ? '' : 'at least '}${earlier} before it`;

function next(alike: Alike): string {
  const [at] = alike.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []).toSorted();
  if (at !== undefined) return `The next attempt is at ${at}.`;
  return alike.length === 1 ? 'It is not retried.' : 'None is retried.';
}

/** `isOne`: several deliveries are sent again together, by the command that `examine` names. */
function remedyFor(
  status: number | null,
  why: string,
  { id, name, isOne }: { readonly id: string; readonly name: string; readonly isOne: boolean },
): string {
  const once = (mended: string) => (isOne ? ` Once it is ${mended}: earshot webhooks resend ${id}` : '');
  if (status === 401 || status === 403)
    return `The receiver refuses the credential: earshot webhooks update ${name} --secrets-stdin, or its own settings.`;
  if (status === 404 || status === 410)
    return `The address no longer exists: earshot webhooks update ${name} --to ADDRESS`;
  if (status !== null && status >= 500) return `The receiver fails.${once('fixed')}`;
  if (status !== null) return `The receiver rejects the request; earshot webhooks event ${id} shows its answer.`;
  if (/time/i.test(why)) return 'The receiver has to answer within 15 seconds; it should do its work afterwards.';
  return `Nobody answers at this address.${once('reachable')}`;
}
