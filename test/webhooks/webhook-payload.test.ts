import { describe, expect, it } from 'vitest';
import { renderPayload } from '../../src/signing/webhook-payload.js';

const origin = 'https://voice.example.com';
const envelope = (data: unknown, type = 'sanction.created') =>
  JSON.stringify({ id: 'e1', type, resourceId: 'sanction:s1', payload: { action: 'created', data } });

describe('what is sent of an event', () => {
  it('is the envelope to the letter', () => {
    const text = ` ${envelope({ a: 1 })}`;
    expect(renderPayload('event', text, { origin })).toBe(text);
  });

  it('is its data alone, with what gameplay adds', () => {
    expect(JSON.parse(renderPayload('bare', envelope({ a: 1 }), { origin, extra: { user_token: 't' } }))).toEqual({
      a: 1,
      user_token: 't',
    });
  });

  it('is a line that Slack and Discord show', () => {
    const data = { type: 'mute', externalUserId: 'u_42', reason: 'shouting\nloudly', endAt: null, metadata: {} };
    const line = 'sanction.created (sanction:s1) externalUserId: u_42, type: mute, reason: shouting loudly';
    expect(JSON.parse(renderPayload('chat', envelope(data), { origin }))).toEqual({
      text: line,
      mrkdwn: false,
      content: line.replaceAll(/[._:()]|,/g, '\\$&'),
      allowed_mentions: { parse: [] },
    });
  });

  it('is marked where others may not see it', () => {
    const line = (shadowMuted: boolean) =>
      JSON.parse(renderPayload('chat', envelope({ content: 'psst', shadowMuted }, 'message.created'), { origin })).text;
    expect(line(true)).toBe('message.created (sanction:s1) shadowMuted: true, content: psst');
    expect(line(false)).toBe('message.created (sanction:s1) content: psst');
  });

  it('lets no player ring anybody in a chat', () => {
    const { text, content } = JSON.parse(
      renderPayload('chat', envelope({ displayName: '<!channel> & [you](https://evil.example) **co**' }), { origin }),
    );
    expect(text).toContain('displayName: &lt;!channel&gt; &amp; [you]');
    expect(content).toContain(
      'displayName\\: \\<\\!channel\\> \\& \\[you\\]\\(https\\:\\/\\/evil\\.example\\) \\*\\*co\\*\\*',
    );
  });

  it('looks into wrappers, and stays within what chats take', () => {
    const member = { gatheringId: 'g', member: { displayName: 'Ann', status: 'joined' } };
    expect(renderPayload('chat', envelope(member), { origin })).toContain('displayName: Ann, status: joined');
    const long = Object.fromEntries(['title', 'name', 'content', 'reason'].map((name) => [name, 'x'.repeat(9_000)]));
    expect(JSON.parse(renderPayload('chat', envelope(long), { origin })).content.length).toBeLessThan(2_000);
  });
});
