/** Messages for Slack and Discord: in the services' own types, within their bounds, and harmless whatever players write. */
import type { KnownBlock } from '@slack/types';
import type { RESTPostAPIWebhookWithTokenJSONBody } from 'discord-api-types/v10';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../src/contract/events.js';
import { discordMessage, slackMessage } from '../../src/signing/chat-message.js';

const origin = 'https://voice.example.com';
const eventOf = (type: string, data: object, changes?: Record<string, unknown>): DomainEvent => ({
  ...{ id: 'e1', type, source: 'cortex:api', tenantId: 't', projectId: 'p', timestamp: '2026-01-01T00:00:00.000Z' },
  resourceId: `${type.split('.')[0]}:x1`,
  payload: { action: 'created', data, ...(changes === undefined ? {} : { changes }) },
});
/** What the types of the services accept, or this file does not compile. */
const slack = (event: DomainEvent): { text: string; mrkdwn: boolean; blocks: KnownBlock[] } =>
  slackMessage(event, { origin });
const discord = (event: DomainEvent): RESTPostAPIWebhookWithTokenJSONBody => discordMessage(event, { origin });

const aCase = {
  status: 'open',
  category: 'threats',
  externalUserId: 'u_42',
  reports: 3,
  reporters: 2,
  escalatedTo: null,
};
const titles: readonly [string, DomainEvent][] = [
  ['New case: threats', eventOf('case.created', aCase)],
  ['Case overdue: threats', eventOf('case.overdue', aCase)],
  [
    'Case decided: sanction (violation)',
    eventOf('case.updated', { ...aCase, status: 'decided', decision: 'sanction', reasonCode: 'violation' }),
  ],
  ['Case escalated to admin', eventOf('case.updated', { ...aCase, escalatedTo: 'admin' }, { escalatedTo: null })],
  ['Case claimed: threats', eventOf('case.updated', { ...aCase, status: 'claimed' }, { status: 'open' })],
  ['New appeal', eventOf('review.created', { kind: 'appeal', status: 'open', statement: 'Not me.' })],
  [
    'Appeal decided: overturned',
    eventOf('review.updated', { kind: 'appeal', status: 'decided', decision: 'overturned' }),
  ],
  ['Sanction imposed: temp_ban', eventOf('sanction.created', { type: 'temp_ban', externalUserId: 'u_42' })],
  ['Sanction revoked: mute', eventOf('sanction.revoked', { type: 'mute', revokeReason: 'A mistake.' })],
  ['case.created', eventOf('case.created', { id: 'x1', redacted: true })],
];

const headerOf = ({ blocks: [first] }: ReturnType<typeof slack>): string =>
  first?.type === 'header' ? first.text.text : '';

/** The text as Discord shows it: a backslash shows the character after it. */
const shown = (text: string): string => text.replaceAll(/\\(.)/gu, '$1');

describe('a message for a chat service', () => {
  it.each(titles)('says %s', (title, event) => {
    expect([headerOf(slack(event)), slack(event).text]).toEqual([title, title]);
    expect(shown(discord(event).embeds?.[0]?.title ?? '')).toBe(title);
  });

  it('says about whom, and links to the page of the console', () => {
    const event = eventOf('case.created', aCase);
    const url = 'https://voice.example.com/console/projects/p/cases/x1';
    const [, facts, link] = slack(event).blocks;
    expect(facts).toMatchObject({
      fields: [
        { type: 'plain_text', text: 'Person: u_42' },
        { type: 'plain_text', text: 'Category: threats' },
        { type: 'plain_text', text: 'Reports: 3 by 2 people' },
      ],
    });
    expect(link).toEqual({ type: 'section', text: { type: 'mrkdwn', text: `<${url}|Open in the console>` } });
    expect(discord(event).embeds?.[0]).toMatchObject({ url, timestamp: event.timestamp });
  });

  it.each([
    '@everyone @here <@123> <!channel> <@&1>',
    '[free skins](https://evil.example) https://evil.example',
    '**bold** _it_ ~~s~~ `code` ||spoiler|| > quote # head',
  ])('shows %s as it is: no mention, no markup, no link', (words) => {
    const event = eventOf('sanction.created', { type: 'warn', externalUserId: words, reason: words });
    const text = JSON.stringify(slack(event).blocks.slice(0, 2));
    expect(text).not.toMatch(/[<>]|mrkdwn/);
    const message = discord(event);
    expect(message.allowed_mentions).toEqual({ parse: [] });
    const [field] = message.embeds?.[0]?.fields ?? [];
    expect(shown(field?.value ?? '')).toBe(words);
    expect(field?.value.replaceAll(/\\[!-/:-@[-`{-~]/g, '')).toMatch(/^[\p{L}\p{N}\s]*$/u);
  });

  it('names the person, whatever they call themselves', () => {
    const event = eventOf('sanction.created', { type: 'warn', externalUserId: 'u_42' });
    const person = { externalUserId: 'u_42', name: 'Mateo <!channel> **Wolf**\u202e' };
    const [, facts] = slackMessage(event, { origin, person }).blocks;
    expect(facts).toMatchObject({ fields: [{ text: 'Person: Mateo &lt;!channel&gt; **Wolf** (u_42)' }] });
    const [field] = discordMessage(event, { origin, person }).embeds[0]?.fields ?? [];
    expect(shown(field?.value ?? '')).toBe('Mateo <!channel> **Wolf** (u_42)');
    const another = { ...person, externalUserId: 'u_43' };
    expect(JSON.stringify(slackMessage(event, { origin, person: another }))).not.toContain('Mateo');
  });

  it('has the words of a line, and says that somebody is shadow-muted', () => {
    const line = { senderName: 'Ann', externalUserId: 'u_42', content: 'psst', origin: 'text', shadowMuted: true };
    const shownOf = (data: object) => {
      const event = eventOf('message.created', data);
      const fields = discord(event).embeds?.[0]?.fields?.map(({ name, value }) => shown(`${name}: ${value}`));
      const blocks = slack(event).blocks.flatMap((block) => ('fields' in block ? (block.fields ?? []) : []));
      expect(blocks.map(({ text }) => text)).toEqual(fields);
      return fields;
    };
    const mark = 'Shadow-muted: others neither hear nor see it';
    expect(shownOf(line)).toEqual(['Person: u_42', 'Text: psst', mark]);
    expect(shownOf({ ...line, shadowMuted: false })).toEqual(['Person: u_42', 'Text: psst']);
  });

  it('leaves out characters that nobody sees', () => {
    const event = eventOf('sanction.created', { type: 'warn', reason: 'a\u202eb\u0007c\u200bd\ne' });
    expect(JSON.stringify(slack(event))).toContain('Reason: abcd e');
  });

  /** Slack: docs.slack.dev/reference/block-kit/blocks; Discord: docs.discord.com/developers/resources/message#embed-limits. */
  it('stays within what the services take, whatever the event holds', () => {
    const data = fc.dictionary(
      fc.string({ maxLength: 400 }),
      fc.oneof(fc.string({ unit: 'grapheme', maxLength: 5_000 }), fc.string({ maxLength: 5_000 }), fc.integer()),
      { maxKeys: 60, size: 'max' },
    );
    const types = fc.constantFrom(
      'case.created',
      'review.created',
      'sanction.created',
      'session.created',
      'message.created',
      '__proto__.x',
    );
    const named = fc.record({ externalUserId: fc.string({ minLength: 6_000, maxLength: 9_000 }), reason: fc.string() });
    fc.assert(
      fc.property(types, fc.oneof(data, named), (type, fields) => {
        const { text, blocks } = slack(eventOf(type, fields));
        expect(blocks.length).toBeLessThanOrEqual(50);
        expect(text.length).toBeLessThanOrEqual(3_000);
        for (const block of blocks) {
          if (block.type === 'header') expect(block.text.text.length).toBeLessThanOrEqual(150);
          if (block.type !== 'section') continue;
          expect((block.text?.text ?? '').length).toBeLessThanOrEqual(3_000);
          expect(block.fields?.length ?? 1).toBeLessThanOrEqual(10);
          for (const field of block.fields ?? []) expect(field.text.length).toBeLessThanOrEqual(2_000);
        }
        const embeds = discord(eventOf(type, fields)).embeds ?? [];
        expect(embeds.length).toBeLessThanOrEqual(10);
        let total = 0;
        for (const { title = '', fields: all = [], footer } of embeds) {
          expect(title.length).toBeLessThanOrEqual(256);
          expect(all.length).toBeLessThanOrEqual(25);
          for (const { name, value } of all) {
            expect([name.length <= 256, value.length <= 1_024, name !== '', value !== '']).toEqual([
              true,
              true,
              true,
              true,
            ]);
            expect(value.isWellFormed()).toBe(true);
            total += name.length + value.length;
          }
          total += title.length + (footer?.text.length ?? 0);
        }
        expect(total).toBeLessThanOrEqual(6_000);
      }),
      { numRuns: 200, seed: 33 },
    );
  });
});
