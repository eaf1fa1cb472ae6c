import { Button } from '@mantine/core';
import { useState } from 'react';
import {
  deliveryStatuses,
  type WebhookEvent,
  webhookEventRoutes,
} from '../../../src/contract/webhooks/webhook-events.js';
import {
  CreateWebhookSubscriptionRequest,
  type WebhookSubscription,
  webhookRoutes,
} from '../../../src/contract/webhooks/webhooks.js';
import { useProject } from '../frame/project.js';
import { readingOf } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { Dialog } from '../parts/dialog.js';
import { ChoiceFilter, TextFilter } from '../parts/filters.js';
import { SchemaForm } from '../parts/schema-form.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { client } from '../session/session.js';
import { useWords } from '../words/all-words.js';
import { OpenWebhook } from './open-webhook.js';
import { Attempts, fromStdin, newSecret, otherWays, Secret, State, useAttempts } from './webhook-parts.js';

const idOf = ({ id }: WebhookSubscription) => id;
const countedMax = 200;

export default function Webhooks() {
  const words = useWords();
  const own = words.developers;
  const { params, may } = useProject();
  const [open, setOpen] = useFilter('open');
  const [search, setSearch] = useFilter('search');
  const [status, setStatus] = useFilter('status');
  const [secret, setSecret] = useState<string | null>(null);
  const after = ['webhook.'];
  const all = useRead(webhookRoutes.list, { params, query: search === '' ? {} : { search } }, { after });
  const attempts = useAttempts();
  const withStatus = useRead(
    webhookEventRoutes.list,
    { params, query: { limit: countedMax, status: status as WebhookEvent['status'] } },
    { after, enabled: status !== '' },
  );
  const { data } = all;
  const shownRows =
    status === ''
      ? all
      : readingOf(withStatus, (deliveries) =>
          (data ?? []).filter(({ id }) => deliveries.some(({ subscriptionId }) => subscriptionId === id)),
        );
  const columns: readonly Column<WebhookSubscription>[] = [
    {
      ...{ id: 'url', label: own.address },
      cell: ({ url, description }) => <bdi title={url}>{description ?? url}</bdi>,
      sort: ({ url }) => url,
    },
    { ...{ id: 'events', label: own.events, wide: true }, cell: ({ events }) => events.join(', ') },
    {
      ...{ id: 'success', label: own.success, width: '190px' },
      cell: ({ id }) => <Attempts of={attempts} id={id} />,
    },
    { ...{ id: 'state', label: words.status, width: '150px' }, cell: (webhook) => <State webhook={webhook} /> },
  ];
  const opened = data?.find(({ id }) => id === open);
  const shown = <Secret secret={secret} onClose={() => setSecret(null)} />;
  if (opened !== undefined)
    return (
      <>
        <OpenWebhook key={opened.id} webhook={opened} onBack={() => setOpen('')} />
        {shown}
      </>
    );
  return (
    <>
      <div className="page-actions tab-actions">
        <TextFilter label={own.address} value={search} onChange={setSearch} />
        <ChoiceFilter
          label={own.deliveries}
          value={status}
          onChange={setStatus}
          choices={[{ value: '', label: own.anyDelivery }, ...deliveryStatuses]}
        />
        {may('admin') && <Button onClick={() => setOpen('new')}>{own.newWebhook}</Button>}
      </div>
      <DataTable
        label={own.webhooks}
        of={data === undefined ? all : shownRows}
        columns={columns}
        idOf={idOf}
        onOpen={({ id }) => setOpen(id)}
        empty={status === '' ? own.noWebhooks : own.noneWithStatus}
        height="calc(100dvh - 240px)"
      />
      <CliLine line={commandLine('webhooks', 'list', ['--search', search])} />
      <Dialog opened={open === 'new' && may('admin')} onClose={() => setOpen('')} title={own.newWebhook} size="lg">
        <SchemaForm
          schema={CreateWebhookSubscriptionRequest}
          filled={{ events: ['*'], secret: newSecret() }}
          hides={otherWays}
          send={async (body) => {
            const made = await client.call(webhookRoutes.create, { params, body });
            setSecret(body.secret);
            setOpen(made.id);
          }}
          submit={own.create}
          line={(flags, body) => commandLine('webhooks', 'create', ...flags, ...fromStdin(body))}
        />
      </Dialog>
      {shown}
    </>
  );
}
