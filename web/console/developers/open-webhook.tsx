import { useState } from 'react';
import {
  deliveryStatuses,
  type WebhookEvent,
  webhookEventRoutes,
} from '../../../src/contract/webhooks/webhook-events.js';
import {
  ReplayWebhookEventsRequest,
  RotateWebhookSecretRequest,
  UpdateWebhookSubscriptionRequest,
  type WebhookReplay,
  type WebhookSubscription,
  webhookRoutes,
} from '../../../src/contract/webhooks/webhooks.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { known, Pending } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { Dialog } from '../parts/dialog.js';
import { Facts } from '../parts/facts.js';
import { ChoiceFilter } from '../parts/filters.js';
import { JsonView } from '../parts/json-view.js';
import { Panel } from '../parts/page.js';
import { PlainTable } from '../parts/plain-table.js';
import { SchemaForm } from '../parts/schema-form.js';
import { Countdown, Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { client } from '../session/session.js';
import { useWords } from '../words/all-words.js';
import { Attempts, fromStdin, newSecret, otherWays, Secret, State, useAttempts } from './webhook-parts.js';

const shownMax = 200;
const tones: Readonly<Record<WebhookEvent['status'], string>> = {
  ...{ pending: 'warn', delivered: 'good', failed: 'bad', set_aside: 'bad' },
};
const editable = [
  ...(['url', 'events', 'description', 'payloadFormat', 'authType', 'apiKey', 'apiKeyHeader'] as const),
  ...(['basicAuthUsername', 'basicAuthPassword', 'customHeaders'] as const),
] as const;

interface OpenWebhookProps {
  readonly webhook: WebhookSubscription;
  readonly onBack: () => void;
}

export function OpenWebhook({ webhook, onBack }: OpenWebhookProps) {
  const own = useWords().developers;
  const { params, may } = useProject();
  const { id, url, enabled, description } = webhook;
  const path = { params: { ...params, id } };
  return (
    <>
      <p>
        <button type="button" className="pick" onClick={onBack}>
          ← {own.webhooks}
        </button>
      </p>
      <div className="rule-head">
        <h2>
          <bdi>{description ?? url}</bdi>
        </h2>
        <State webhook={webhook} />
        {may('admin') && (
          <div className="page-actions">
            <Act
              label={own.test}
              disabled={!enabled}
              run={() => client.call(webhookRoutes.test, path)}
              line={commandLine('webhooks', 'test', url)}
            />
            <Act
              label={enabled ? own.disable : own.enable}
              run={() => client.call(webhookRoutes.update, { ...path, body: { enabled: !enabled } })}
              line={commandLine('webhooks', enabled ? 'disable' : 'enable', url)}
            />
            <Act
              label={own.delete}
              tone="red"
              confirm={own.deleteWebhookText}
              run={() => client.call(webhookRoutes.remove, path)}
              onDone={onBack}
              line={commandLine('webhooks', 'delete', url)}
            />
          </div>
        )}
      </div>
      <div className="stack">
        <Deliveries webhook={webhook} />
        {may('admin') ? (
          <div className="columns">
            <Panel title={own.settings}>
              <Settings webhook={webhook} />
            </Panel>
            <div className="stack">
              <Panel title={own.rotate}>
                <Rotate webhook={webhook} />
              </Panel>
              <Panel title={own.replay}>
                <Replay webhook={webhook} />
              </Panel>
            </div>
          </div>
        ) : (
          <Panel title={own.settings}>
            <JsonView value={webhook} label={own.settings} />
          </Panel>
        )}
      </div>
    </>
  );
}

function Settings({ webhook }: { readonly webhook: WebhookSubscription }) {
  const words = useWords();
  const { params } = useProject();
  const { id, url, customHeaders: _, ...start } = webhook;
  return (
    <SchemaForm
      schema={UpdateWebhookSubscriptionRequest}
      fields={editable}
      start={{ url, ...start }}
      hides={otherWays}
      send={(body) => client.call(webhookRoutes.update, { params: { ...params, id }, body })}
      submit={words.save}
      line={(flags, body) => commandLine('webhooks', 'update', url, ...flags, ...fromStdin(body))}
    />
  );
}

function Rotate({ webhook: { id, url, previousSecretUntil } }: { readonly webhook: WebhookSubscription }) {
  const own = useWords().developers;
  const { params } = useProject();
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <p>
        {previousSecretUntil === null ? (
          own.rotateText
        ) : (
          <>
            {own.previousSigns} <Countdown at={previousSecretUntil} />
          </>
        )}
      </p>
      <SchemaForm
        key={previousSecretUntil}
        schema={RotateWebhookSecretRequest}
        filled={{ secret: newSecret(), graceSeconds: 86_400 }}
        send={async (body) => {
          await client.call(webhookRoutes.rotateSecret, { params: { ...params, id }, body });
          setSecret(body.secret);
        }}
        submit={own.rotate}
        line={(flags) => commandLine('webhooks', 'rotate-secret', url, ...flags)}
      />
      <Secret secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

function Replay({ webhook: { id, url } }: { readonly webhook: WebhookSubscription }) {
  const own = useWords().developers;
  const { params } = useProject();
  const [result, setResult] = useState<WebhookReplay | null>(null);
  return (
    <>
      <SchemaForm
        schema={ReplayWebhookEventsRequest}
        filled={{ failed: true }}
        send={async (body) => setResult(await client.call(webhookRoutes.replay, { params: { ...params, id }, body }))}
        submit={own.replay}
        line={(flags) => commandLine('webhooks', 'replay', url, ...flags)}
      />
      {result !== null && (
        <p role="status">
          {own.queued(result.queued)} {!result.complete && own.replayOn(result.lastEventId ?? '')}
        </p>
      )}
    </>
  );
}

function Deliveries({ webhook: { id, url } }: { readonly webhook: WebhookSubscription }) {
  const words = useWords();
  const own = words.developers;
  const { params } = useProject();
  const [status, setStatus] = useFilter('status');
  const [delivery, setDelivery] = useFilter('delivery');
  const query = {
    ...{ subscriptionId: id, limit: shownMax },
    ...(status === '' ? {} : { status: status as WebhookEvent['status'] }),
  };
  const latest = useRead(webhookEventRoutes.list, { params, query }, { after: ['webhook.'] });
  const attempts = useAttempts();
  const columns: readonly Column<WebhookEvent>[] = [
    {
      ...{ id: 'at', label: words.created, width: '150px' },
      cell: ({ createdAt }) => <Time at={createdAt} />,
      sort: ({ createdAt }) => createdAt,
    },
    { ...{ id: 'type', label: words.type }, cell: ({ eventType }) => eventType, sort: ({ eventType }) => eventType },
    {
      ...{ id: 'status', label: words.status, width: '110px' },
      cell: (one) => <span className={`badge ${tones[one.status]}`}>{one.status}</span>,
    },
    { ...{ id: 'attempts', label: own.attempts, width: '90px' }, cell: ({ attemptsCount }) => attemptsCount },
    { ...{ id: 'error', label: own.error, wide: true }, cell: ({ lastError }) => <bdi>{lastError}</bdi> },
  ];
  return (
    <Panel
      title={
        <>
          {own.deliveries} <Attempts of={attempts} id={id} />
        </>
      }
      actions={
        <ChoiceFilter
          label={words.status}
          value={status}
          onChange={setStatus}
          choices={[{ value: '', label: words.all }, ...deliveryStatuses]}
        />
      }
    >
      <DataTable
        label={own.deliveries}
        of={latest}
        columns={columns}
        idOf={deliveryId}
        onOpen={({ id: open }) => setDelivery(open)}
        empty={own.noDeliveries}
        height="320px"
      />
      <CliLine line={commandLine('webhooks', 'events', ['--webhook', url], ['--status', status])} />
      <Dialog opened={delivery !== ''} onClose={() => setDelivery('')} title={own.delivery} size="lg">
        {delivery !== '' && <Delivery id={delivery} />}
      </Dialog>
    </Panel>
  );
}
const deliveryId = ({ id }: WebhookEvent) => id;

function Delivery({ id }: { readonly id: string }) {
  const words = useWords();
  const own = words.developers;
  const { params, may } = useProject();
  const path = { params: { ...params, id } };
  const reading = useRead(webhookEventRoutes.get, path, { after: ['webhook.'] });
  const { data } = reading;
  if (data === undefined) return <Pending of={reading} />;
  return (
    <>
      <Facts
        of={[
          [words.type, data.eventType],
          [
            words.status,
            <span key="status" className={`badge ${tones[data.status]}`}>
              {data.status}
            </span>,
          ],
          [own.nextAttempt, data.nextAttemptAt === null ? null : <Countdown key="next" at={data.nextAttemptAt} />],
        ]}
      />
      <PlainTable
        head={[own.attempt, words.created, own.tookMs, words.status, own.error, own.answer]}
        of={known(
          data.deliveries.map(({ attempt, startedAt, durationMs, statusCode, error: failed, responseSnippet }) => [
            attempt,
            <Time key="at" at={startedAt} />,
            durationMs,
            statusCode ?? '–',
            <bdi key="error">{failed}</bdi>,
            <bdi key="answer">{responseSnippet}</bdi>,
          ]),
        )}
        empty={own.noAttempt}
      />
      <JsonView value={data.payload} label={own.payload} />
      {may('admin') && (
        <div className="buttons">
          <Act
            label={own.resend}
            isMain
            run={() => client.call(webhookEventRoutes.resend, path)}
            line={commandLine('webhooks', 'resend', id)}
          />
        </div>
      )}
      <CliLine line={commandLine('webhooks', 'event', id)} />
    </>
  );
}
