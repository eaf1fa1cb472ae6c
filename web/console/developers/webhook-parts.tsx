import type { WebhookEvent } from '../../../src/contract/webhooks/webhook-events.js';
import type { WebhookSubscription } from '../../../src/contract/webhooks/webhooks.js';
import type { Flag } from '../parts/copy.js';
import { Copying } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { Ago } from '../parts/time.js';
import { useWords } from '../words/all-words.js';

const keyBytes = 32;

/** A signing key as Standard Webhooks have it. */
export const newSecret = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(keyBytes))))}`;

/** The command reads secrets from standard input. The signing key of a new webhook is made where none is given. */
export const fromStdin = (body: Readonly<Record<string, unknown>>): readonly Flag[] =>
  ['apiKey', 'basicAuthPassword', 'customHeaders'].some((name) => body[name] !== undefined)
    ? [['--secrets-stdin'] as const]
    : [];

/** The share that arrived of the deliveries that have ended. */
function successOf(deliveries: readonly WebhookEvent[]): { readonly share: number | null; readonly of: number } {
  const ended = deliveries.filter(({ status }) => status !== 'pending');
  const arrived = ended.filter(({ status }) => status === 'delivered').length;
  return { share: ended.length === 0 ? null : arrived / ended.length, of: ended.length };
}

export function Secret({ secret, onClose }: { readonly secret: string | null; readonly onClose: () => void }) {
  const own = useWords().developers;
  return (
    <Dialog opened={secret !== null} onClose={onClose} title={own.signingKey}>
      <p>{own.signingKeyText}</p>
      <p>
        <code className="whole">{secret}</code> <Copying value={secret ?? ''} label={own.copyKey} />
      </p>
    </Dialog>
  );
}

export function Success({ deliveries }: { readonly deliveries: readonly WebhookEvent[] }) {
  const own = useWords().developers;
  const { share, of } = successOf(deliveries);
  if (share === null) return <span className="quiet">{own.noDeliveries}</span>;
  return (
    <span className={share < 0.9 ? 'bad' : share < 1 ? 'warn' : 'good'}>
      {own.successOf(Math.floor(share * 100), of)}
    </span>
  );
}

export function State({
  webhook: { enabled, disabledReason, failingSince },
}: {
  readonly webhook: WebhookSubscription;
}) {
  const own = useWords().developers;
  if (!enabled) return <span className="badge bad">{own.disabledBecause(disabledReason ?? 'requested')}</span>;
  if (failingSince === null) return <span className="badge good">{own.enabled}</span>;
  return (
    <span className="badge warn">
      {own.failingFor} <Ago at={failingSince} />
    </span>
  );
}
