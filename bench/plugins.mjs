// npm run bench -- plugins: messages a second through three installed plugins and twenty rules, against bare calls of the
// same; and what they add until listeners hear of a message, written or spoken. Two projects of one daemon take turns: one
// has the plugins and rules, the other has none.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EarshotClient } from '#dist/src/client/earshot-client.js';
import { EventStream } from '#dist/src/client/event-stream.js';
import { pluginInstanceRoutes } from '#dist/src/contract/plugins/plugins.js';
import { projectRoutes } from '#dist/src/contract/projects/projects.js';
import { settingsRoutes } from '#dist/src/contract/projects/settings.js';
import { ruleRoutes } from '#dist/src/contract/rules/rules.js';
import { sessionRoutes } from '#dist/src/contract/sessions/sessions.js';
import { endMedia } from '#dist/src/voice.js';
import { startDaemon } from './daemon.mjs';
import { openRecogniser } from './instant-recogniser.mjs';
import { definitions, installed, line, matchesOf } from './plugin-workload.mjs';
import { missingClips, spokenClips } from './spoken-clips.mjs';
import { median, quantile, ratio, round } from './statistics.mjs';
import { showTable } from './tables.mjs';
import { transcribedRoom } from './voice.mjs';

const rounds = 3;
const messagesPerRound = 400;
const connections = 16;
const perSecond = 20;
const pacedSeconds = 4;
const settleMs = 1_000;
const pollMs = 20;
const patienceMs = 120_000;
const execute = promisify(execFile);
const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** A project with a session of its own, in which people write. */
async function projectOf(daemon, name) {
  const { admin, baseUrl } = daemon;
  const { id: projectId } = await admin.call(projectRoutes.create, { body: { name } });
  await admin.call(settingsRoutes.put, { params: { projectId }, body: { tokenProvider: 'embedded' } });
  const body = { title: name, externalRoomId: name, autoStart: false };
  const { id } = await admin.call(sessionRoutes.create, { params: { projectId }, body });
  const client = new EarshotClient({
    baseUrl,
    credential: { kind: 'apiKey', key: await daemon.key(['messages'], projectId) },
  });
  let lines = 0;
  return {
    projectId,
    /** The next line; `onWrite` hears of it before it is sent. */
    async write(onWrite = () => {}) {
      const body = { externalUserId: `u${lines % 50}`, content: line(lines) };
      lines += 1;
      onWrite(body.content);
      await client.call(sessionRoutes.say, { params: { projectId, id }, body });
    },
  };
}

async function judge({ admin }, { projectId }) {
  const params = { projectId };
  for (const pluginId of installed) await admin.call(pluginInstanceRoutes.create, { params, body: { pluginId } });
  for (const [index, definition] of definitions.entries())
    await admin.call(ruleRoutes.create, { params, body: { name: `rule ${index}`, definition } });
}

/** Runs that ended, and matches that were stored. */
async function doneOf({ baseUrl }) {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const sum = (pattern) => [...text.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0);
  return {
    runs: sum(/^earshot_plugin_run_duration_seconds_count\{[^}]*\} (\d+)$/gm),
    matches: sum(/^earshot_rule_decisions_total\{[^}]*outcome="matched"[^}]*\} (\d+)$/gm),
  };
}

/** Messages a second: written over HTTP, and everything that follows from them stored. */
async function rate(daemon, project, isJudged) {
  const before = await doneOf(daemon);
  const began = performance.now();
  let left = messagesPerRound;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await project.write();
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  for (;;) {
    const { runs, matches } = await doneOf(daemon);
    const isDone =
      runs - before.runs >= messagesPerRound * installed.length &&
      matches - before.matches >= matchesOf(messagesPerRound);
    if (!isJudged || isDone) break;
    if (performance.now() - began > patienceMs) throw new Error('The messages were not all judged.');
    await sleep(pollMs);
  }
  return (messagesPerRound / (performance.now() - began)) * 1_000;
}

async function rates(daemon, plain, judged) {
  const bare = fork(path('bare-plugins.mjs'));
  const found = { bare: [], plain: [], judged: [] };
  for (let turn = 0; turn <= rounds; turn += 1) {
    bare.send(messagesPerRound);
    const [bareRate] = await once(bare, 'message');
    const [plainRate, judgedRate] = [await rate(daemon, plain, false), await rate(daemon, judged, true)];
    if (turn === 0) continue; // warm-up
    found.bare.push(bareRate);
    found.plain.push(plainRate);
    found.judged.push(judgedRate);
  }
  bare.disconnect();
  return found;
}

/** Milliseconds from the writing of each message to what listeners hear of it, by type of event. */
class Listener {
  #writtenAt = new Map();
  #delays = new Map();

  constructor({ admin }, project) {
    const { projectId } = project;
    this.project = project;
    this.stream = new EventStream(admin, {
      projectId,
      types: 'message.created,message.annotation.created,rule.matched',
    });
    this.following = this.#follow();
  }

  async #follow() {
    for await (const { kind, event } of this.stream) {
      if (kind !== 'event') continue;
      const { messageId, id, content } = event.payload.data;
      if (event.type === 'message.created') this.#writtenAt.set(id, this.#writtenAt.get(content));
      const writtenAt = this.#writtenAt.get(messageId ?? id);
      if (writtenAt !== undefined) this.of(event.type).push(performance.now() - writtenAt);
    }
  }

  /** The delays until such events, up to now. */
  of(type) {
    if (!this.#delays.has(type)) this.#delays.set(type, []);
    return this.#delays.get(type);
  }

  /** People write at a steady rate until the signal. */
  async write(signal) {
    const sent = [];
    while (!signal.aborted) {
      sent.push(this.project.write((content) => this.#writtenAt.set(content, performance.now())));
      await sleep(1_000 / perSecond);
    }
    await Promise.all(sent);
    await sleep(settleMs);
  }

  async close() {
    this.stream.close();
    await this.following;
  }
}

const delayRow = (what, delays, reference) => ({
  what,
  'p50 ms': round(median(delays), 1),
  'p99 ms': round(quantile(delays, 0.99), 1),
  'p50, ratio': reference === null ? '1' : round(median(delays) / median(reference), 2),
});

/** Measures the delays of written messages. The projects take turns. */
async function writtenDelays(without, within) {
  for (let turn = 0; turn < rounds; turn += 1)
    for (const listener of [without, within]) await listener.write(AbortSignal.timeout(pacedSeconds * 1_000));
  const heard = without.of('message.created');
  return [
    delayRow('message, without plugins and rules', heard, null),
    delayRow('message, with them', within.of('message.created'), heard),
    delayRow('annotation', within.of('message.annotation.created'), heard),
    delayRow('what a rule announces', within.of('rule.matched'), heard),
  ];
}

/** Measures the delay from the end of speech to the message, while people write. Projects take turns. */
async function spokenDelays({ admin }, listeners) {
  const [clip] = spokenClips();
  const rooms = [];
  for (const { project } of listeners) rooms.push(await transcribedRoom({ admin, projectId: project.projectId }));
  const delays = listeners.map(() => []);
  for (let turn = 0; turn < rounds; turn += 1)
    for (const [index, listener] of listeners.entries()) {
      const stop = new AbortController();
      const writing = listener.write(stop.signal);
      const { delayMs } = await rooms[index].say(clip);
      if (delayMs !== null) delays[index].push(delayMs);
      stop.abort();
      await writing;
    }
  for (const room of rooms) await room.leave();
  const [without, within] = delays;
  return [delayRow('speech, without plugins and rules', without, null), delayRow('speech, with them', within, without)];
}

export async function run() {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
  const recogniser = await openRecogniser('go forward ten meters');
  const daemon = await startDaemon({
    ...{ EARSHOT_DATA_DIR: dataDir, EARSHOT_RATE_LIMIT_CREDENTIAL: '0' },
    ...{ EARSHOT_TRANSCRIBER: 'openai', EARSHOT_OPENAI_BASE_URL: recogniser.url },
  });
  try {
    const example = path('../examples/plugin');
    const env = { PATH: process.env.PATH, EARSHOT_DATA_DIR: dataDir };
    await execute(process.execPath, [path('../bin/earshotd.js'), 'plugins', 'install', example], { env });
    const [plain, judged] = [await projectOf(daemon, 'plain'), await projectOf(daemon, 'judged')];
    await judge(daemon, judged);

    const found = await rates(daemon, plain, judged);
    const row = (what, list, bare) => ({
      what,
      'messages/s': round(median(list)),
      ratio: bare ? ratio(list, bare) : '1',
    });
    showTable([
      row('bare calls, rows in SQLite', found.bare),
      row('daemon, messages alone', found.plain, found.bare),
      row('daemon, with what follows from them', found.judged, found.bare),
    ]);
    console.log(
      `Medians of ${rounds} rounds of ${messagesPerRound} messages in turns; ${installed.length} plugins, ${definitions.length} rules. ` +
        `The last over the one before: ${ratio(found.judged, found.plain)}.`,
    );

    const listeners = [plain, judged].map((project) => new Listener(daemon, project));
    await sleep(settleMs);
    showTable(await writtenDelays(...listeners));
    console.log(`From the request to the event on a stream, at ${perSecond} messages a second.`);
    const missing = missingClips();
    if (missing !== null) console.log(`Spoken messages want recorded speech: \`${missing}\`.`);
    else {
      showTable(await spokenDelays(daemon, listeners));
      console.log(
        'From the last frame of speech to the message; the recogniser takes no time. People write meanwhile.',
      );
    }
    for (const listener of listeners) await listener.close();
  } finally {
    await daemon.stop();
    recogniser.close();
    rmSync(dataDir, { recursive: true, force: true });
    endMedia(); // the media library would keep this process alive
  }
}
