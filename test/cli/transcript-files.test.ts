/** `sessions messages`: the transcript as files, and followed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { type Message, sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { transcriptFile, transcriptFileName } from '../../src/text/transcript-file.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';

const program = createRequire(import.meta.url).resolve('../../bin/earshot.js');
const hostile = '<b>over</b> & out --> 2\n\nNOTE x';
let daemon: TestDaemon;
let id: string;
let lines: Message[];
const running: ChildProcess[] = [];
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
const params = () => ({ projectId: daemon.projectId });
const say = (session: string, externalUserId: string, content: string) =>
  daemon.client.call(sessionRoutes.say, { params: { ...params(), id: session }, body: { externalUserId, content } });
const open = async (room: string) => {
  const body = { title: room, externalRoomId: room, autoStart: false };
  return (await daemon.client.call(sessionRoutes.create, { params: params(), body })).id;
};

beforeAll(async () => {
  daemon = await startDaemon();
  const body = { externalUserId: 'u1', displayName: 'Ann <i>' };
  await daemon.client.call(participantRoutes.create, { params: params(), body });
  id = await open('raid');
  await say(id, 'u1', 'Anyone here?');
  await say(id, 'u1', hostile);
  lines = await daemon.client.call(sessionRoutes.messages, { params: { ...params(), id } });
});
afterAll(async () => {
  for (const one of running) one.kill();
  await daemon.stop();
  cli.dispose();
});

describe('a transcript', () => {
  const saved = async (format: string) => {
    const { stdout, code } = await cli.run(['sessions', 'messages', 'raid', '--format', format]);
    expect(code).toBe(0);
    return stdout;
  };

  it('is text, one line per message', async () => {
    const [first, second] = lines;
    expect(await saved('text')).toBe(
      `${first?.timestamp} Ann <i>: Anyone here?\n${second?.timestamp} Ann <i>: <b>over</b> & out --> 2 NOTE x\n`,
    );
  });

  it('is a table that marks the lines of shadow-muted people', async () => {
    const shade = await open('shade');
    const body = { type: 'shadow_mute', externalUserId: 'u2', reason: 'spam' } as const;
    await daemon.client.call(sanctionRoutes.create, { params: params(), body });
    await say(shade, 'u2', 'psst');
    await say(shade, 'u1', 'hello');
    const { stdout } = await cli.run(['sessions', 'messages', 'shade']);
    expect(stdout).toMatch(/psst .*heard by nobody/);
    expect(stdout).not.toMatch(/hello .*heard by nobody/);
  });

  it('is subtitles whose cues no text can break', async () => {
    expect(await saved('srt')).toMatch(
      /^1\n00:00:00,000 --> 00:00:04,000\nAnn ‹i›: Anyone here\?\n\n2\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\nAnn ‹i›: ‹b›over‹\/b› & out --› 2 NOTE x\n\n$/,
    );
    expect(await saved('vtt')).toMatch(
      /^WEBVTT\n\n00:00:00\.000 --> 00:00:04\.000\n<v Ann &lt;i&gt;>Anyone here\?\n\n00:00:0\d\.\d{3} --> 00:00:0\d\.\d{3}\n<v Ann &lt;i&gt;>&lt;b&gt;over&lt;\/b&gt; &amp; out --&gt; 2 NOTE x\n\n$/,
    );
  });

  it.each(['srt', 'vtt'] as const)('is subtitles (%s) without those who came and left', (format) => {
    const [first] = lines;
    if (first === undefined) throw new Error('There are no lines.');
    const earlier = new Date(Date.parse(first.timestamp) - 60_000).toISOString();
    const joined: Message = {
      ...first,
      type: 'system',
      senderName: '[System]',
      content: 'Ann joined',
      timestamp: earlier,
    };
    expect(transcriptFile([joined, ...lines], format)).toBe(transcriptFile(lines, format));
  });

  it('is named after the room and the day', () => {
    const [first] = lines;
    const day = first?.timestamp.slice(0, 10);
    expect(transcriptFileName('raid/7: Müller', lines, 'srt')).toBe(`raid-7-Müller-${day}.srt`);
    expect(transcriptFileName('../..', [], 'text')).toBe('transcript.txt');
  });

  it('is a page with a table, and the objects of the daemon', async () => {
    const page = await saved('html');
    expect(page.match(/<td>/g)).toHaveLength(6);
    expect(page).toMatch(/<tr><td>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d<\/td>/);
    expect(page).toContain('<td>Ann &lt;i&gt;</td><td>&lt;b&gt;over&lt;/b&gt; &amp; out --&gt; 2\n\nNOTE x</td>');
    expect(JSON.parse(await saved('json'))).toEqual(lines);
  });

  it('is followed: what there is, then what comes, of this session alone', async () => {
    const other = await open('hall');
    const { PATH = '' } = process.env;
    const env = { PATH, EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey, XDG_CONFIG_HOME: cli.config };
    const args = ['sessions', 'messages', 'raid', '--follow', '--json'];
    const child = spawn(process.execPath, [program, ...args], { env });
    running.push(child);
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
    });
    const contents = () =>
      stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).content);
    await eventually(async () => expect(contents()).toEqual(['Anyone here?', hostile]), 30_000);
    await say(other, 'u1', 'Elsewhere.');
    await say(id, 'u1', 'Later.');
    await eventually(async () => expect(contents()).toEqual(['Anyone here?', hostile, 'Later.']), 30_000);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
  });

  it('is followed as text or as objects only', async () => {
    const { code, stderr } = await cli.run(['sessions', 'messages', 'raid', '--follow', '--format', 'srt']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Leave --format srt out.')]);
  });
});
