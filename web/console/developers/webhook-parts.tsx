import { type AttemptCount, webhookEventRoutes } from '../../../src/contract/webhooks/webhook-events.js';
import type { WebhookSubscription } from '../../../src/contract/webhooks/webhooks.js';
import { useProject } from '../frame/project.js';
import { Answer, type Reading } from '../parts/answer.js';
import type { Flag } from '../parts/copy.js';
import { Copying } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { Ago } from '../parts/time.js';
import { type Draft, textIn } from '../parts/typed-values.js';
import { useRead } from '../parts/use-read.js';
import { useWords } from '../words/all-words.js';

const keyBytes = 32;
const nothing = { attempts: 0, failed: 0 };

/** A signing key as Standard Webhooks have it. */
export const newSecret = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(keyBytes))))}`;

/** The command reads secrets from standard input. The signing key of a new webhook is made where none is given. */
export const fromStdin = (body: Readonly<Record<string, unknown>>): readonly Flag[] =>
  ['apiKey', 'basicAuthPassword', 'customHeaders'].some((name) => body[name] !== undefined)
    ? [['--secrets-stdin'] as const]
    : [];

/** Fields of ways to authenticate that are not the chosen one. */
export const otherWays = (draft: Draft): readonly string[] => {
  const chosen = textIn(draft, 'authType');
  return Object.entries(fieldsOfWay).flatMap(([way, fields]) => (way === chosen ? [] : fields));
};
const fieldsOfWay: Readonly<Record<string, readonly string[]>> = {
  api_key: ['apiKey', 'apiKeyHeader'],
  basic_auth: ['basicAuthUsername', 'basicAuthPassword'],
  custom_headers: ['customHeaders'],
};

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

/** How many of the latest attempts failed, by subscription. */
export const useAttempts = (): Reading<readonly AttemptCount[]> => {
  const { params } = useProject();
  return useRead(webhookEventRoutes.attempts, { params }, { after: ['webhook.'] });
};

export function Attempts({ of: all, id }: { readonly of: Reading<readonly AttemptCount[]>; readonly id: string }) {
  const own = useWords().developers;
  return (
    <Answer of={all}>
      {(counts) => {
        const { attempts, failed } = counts.find(({ subscriptionId }) => subscriptionId === id) ?? nothing;
        if (attempts === 0) return <span className="quiet">{own.noDeliveries}</span>;
        return (
          <span className={failed === 0 ? 'good' : failed < attempts / 10 ? 'warn' : 'bad'}>
            {failed === 0 ? own.allArrived(attempts) : own.failedAttempts(failed, attempts)}
          </span>
        );
      }}
    </Answer>
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
