/**
 * A plugin that runs elsewhere: its endpoint gets each event by POST, signed as webhooks are, and answers with
 * annotations. `webhook-id` is the id of the run, the same at every attempt.
 */
import { judge, problemLines } from '../../../../src/contract/judge.js';
import { deliveryHeaders } from '../../../../src/signing/signing.js';
import { maySucceedLater, type Outbound } from '../../../platform/outbound/outbound.js';
import type { Clock } from '../../../platform/time/clock.js';
import { answerMs } from '../host/limits.js';
import { Findings, type PluginFinding, type PluginRun, TryAgain, unanswered } from '../plugin.js';

/** How long an endpoint may take, and how large its answer may be. */
const callLimits = { maxBytes: 256 * 1024, timeoutMs: answerMs };
/** An answer without annotations. */
const nothing = 204;

interface Endpoint {
  readonly url: string;
  readonly secret: string;
}

/** The event as webhooks carry it, with the instance that the plugin runs for. */
const endpointBody = ({ event, settings, instanceId }: PluginRun): string =>
  JSON.stringify({ ...event, plugin: { instanceId, settings } });

export async function callEndpoint(
  outbound: Pick<Outbound, 'request'>,
  { url, secret }: Endpoint,
  run: PluginRun,
  now: Clock,
): Promise<readonly PluginFinding[]> {
  const body = endpointBody(run);
  const headers = {
    ...deliveryHeaders(secret, run.actionId, body, now()),
    'Content-Type': 'application/json',
  };
  const sending = { method: 'POST', headers, body, isRepeatable: true }; // as the run itself is, with the same id
  const answer = await outbound.request(url, sending, callLimits).catch(unanswered);
  const { status } = answer;
  if (maySucceedLater(status)) throw new TryAgain(`the endpoint answered ${status}`);
  if (status < 200 || status > 299) throw new Error(`the endpoint answered ${status}`);
  return status === nothing || answer.body === '' ? [] : findingsIn(answer.body);
}

function findingsIn(body: string): readonly PluginFinding[] {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new Error('the endpoint did not answer with JSON');
  }
  const found = judge(Findings, json);
  if (found.success) return found.data;
  throw new Error(`the endpoint gave an unexpected answer: ${problemLines(found.problems, 'answer')[0]}`);
}
