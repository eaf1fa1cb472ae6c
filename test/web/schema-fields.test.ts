/** What forms of the console send, and what they show of it as a command. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { TimestampInput } from '../../src/contract/common.js';
import { CreateWebhookSubscriptionRequest } from '../../src/contract/webhooks/webhooks.js';
import {
  fieldsOf,
  flagsOf,
  rebased,
  requestOf,
  typedOf,
  withoutSecrets,
} from '../../web/console/parts/schema-fields.js';

const fields = fieldsOf(CreateWebhookSubscriptionRequest);
const empty = Object.fromEntries(fields.map(({ name, kind }) => [name, kind === 'choices' ? [] : '']));

it('shows no secret in a command, and keeps none once it is sent', () => {
  const typed = {
    ...{ url: 'https://game.example/hook', secret: 'whsec_c2VjcmV0', apiKey: 'hidden' },
    ...{ basicAuthPassword: 'hidden', customHeaders: '{"Authorization":"Bearer hidden"}' },
  };
  const draft = { ...empty, ...typed };
  const { body } = requestOf(fields, empty, draft);
  expect(body).toMatchObject({ apiKey: 'hidden', customHeaders: { Authorization: 'Bearer hidden' } });
  const flags = flagsOf(fields, body, draft);
  expect(flags).toEqual(expect.arrayContaining([['--to', 'https://game.example/hook']]));
  expect(JSON.stringify(flags)).not.toMatch(/hidden|whsec|headers|secret/);
  expect(withoutSecrets(draft)).toEqual({ ...empty, url: typed.url });
});

it('shows an emptied field as the flag that empties it', () => {
  const start = { ...empty, description: 'Discord' };
  const { body } = requestOf(fields, start, empty);
  expect(body).toEqual({ description: null });
  expect(flagsOf(fields, body, empty)).toEqual([['--clear', 'description']]);
});

it('has one entry of a list on each line, and takes no year that dates cannot have for one', () => {
  const both = fieldsOf(z.object({ tags: z.array(z.string()).optional(), at: TimestampInput.optional() }));
  const [tags] = both;
  const draft = { tags: 'gg, well played\n clutch \n', at: '123456-01-01T00:00' };
  expect(tags && typedOf(tags, ['gg, well played', 'clutch'])).toBe('gg, well played\nclutch');
  expect(requestOf(both, { tags: '', at: '' }, draft).body).toEqual({
    ...{ tags: ['gg, well played', 'clutch'], at: '123456-01-01T00:00' },
  });
});

it('keeps what was typed where somebody else changes what stands there', () => {
  const before = { name: 'Swearing', definition: '{}' };
  const typed = { ...before, definition: '{"format":1}' };
  expect(rebased(typed, before, { name: 'Insults', definition: '{"format":2}' })).toEqual({
    ...{ name: 'Insults', definition: '{"format":1}' },
  });
});
