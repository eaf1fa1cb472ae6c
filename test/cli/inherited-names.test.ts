/** Names that every object inherits (`constructor`, `__proto__`) are words like any other to the commands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { atCursor } from '../../src/cli/completion/shape.js';
import { eventLine } from '../../src/cli/events/event-line.js';
import { isKind } from '../../src/cli/names/kinds.js';
import { unknownFlag } from '../../src/cli/typed/unknown-flag.js';
import { rendered } from '../../src/terminal/terminal.js';
import { commandLine } from '../support/cli.js';

const inherited = ['constructor', 'valueOf', '__proto__'];
const { run, json, config, dispose } = commandLine(() => ({
  EARSHOT_URL: 'http://127.0.0.1:9',
  EARSHOT_PROJECT: '00000000-0000-7000-8000-000000000000',
}));
afterAll(dispose);

describe.each(inherited)('%s', (word) => {
  it('is no command and no verb', async () => {
    expect(await run([word])).toMatchObject({ code: 2, stderr: expect.stringContaining(`"${word}" is no command`) });
    const { code, stderr } = await run(['sanctions', word]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`"sanctions ${word}" is no command`)]);
  });

  it('is no flag that other programs call so', () => {
    expect(unknownFlag(`--${word}`, ['user']).message).toBe(`There is no flag --${word} here. It takes --user.`);
  });

  it('is no day', async () => {
    const { code, stderr } = await run(['sanctions', 'list', '--since', word]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`"${word}" is not a time`)]);
  });

  it('is no kind of name', () => {
    expect(isKind(word)).toBe(false);
  });

  it('completes to nothing', () => {
    expect(atCursor({ who: { args: [], flags: {} } }, [word, ''])).toMatchObject({ options: [], kind: null });
    expect(atCursor({ who: { args: [], flags: {} } }, ['who', `--${word}=a`])).toMatchObject({ options: [] });
  });

  it('is no colour of an event', () => {
    const event = {
      ...{ id: 'e', type: `${word}.made`, source: 'voice:server' as const, tenantId: 't', resourceId: 'x' },
      ...{ timestamp: '2026-01-01T12:00:00.000Z', payload: { action: 'occurred' as const, data: {} } },
    };
    const line = eventLine(event, { isTerminal: true, now: new Date(), width: 120 });
    expect(rendered(line)).toContain(`${word}.made`);
    expect(rendered(line)).not.toContain('undefined');
  });

  it('is no profile until one is made of that name', async () => {
    const missing = { code: 4, stderr: expect.stringContaining(`There is no profile ${word}`) };
    expect(await run(['profiles', 'use', word])).toMatchObject(missing);
    expect(await run(['profiles', 'delete', word])).toMatchObject(missing);
    await run(['logout', '--profile', word]);
    await run(['profiles', 'set', 'kept', '--url', 'http://127.0.0.1:9']);
    expect(await json(['profiles', 'list'])).toEqual([expect.objectContaining({ name: 'kept' })]);
  });
});

it('a profile may be called constructor, and is forgotten under that name', async () => {
  expect((await run(['profiles', 'set', 'constructor', '--url', 'http://127.0.0.1:9'])).code).toBe(0);
  expect(readFileSync(join(config, 'earshot', 'profiles.json'), 'utf8')).toContain('"constructor"');
  expect((await run(['profiles', 'delete', 'constructor'])).code).toBe(0);
});

it('a profile cannot be called __proto__, which JSON files do not keep', async () => {
  expect(await run(['profiles', 'set', '__proto__'])).toMatchObject({ code: 2 });
});
