/** Two people of two languages speak in a room: their words while they say them, and how sure each line of the transcript is. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { clip, speechForTests, spokenFile } from '../support/speech-clips.js';
import type { Scene } from './scene.js';

const identified = z.object({ id: z.string() });
const port = await freePort();
const rule = `name: German cards
definition:
  format: 1
  mode: enforce
  when:
    all:
      - language: [de]
      - words: { any: [clubs] }
  steps:
    - - sanction: { type: warn, reason: No cards. }
`;
const Line = z.object({
  origin: z.string().nullable(),
  externalUserId: z.string().nullable(),
  content: z.string(),
  language: z.string().nullable(),
  asr: z.object({ confidence: z.number().nullable() }).nullable(),
  annotations: z.array(z.object({ type: z.string() })).optional(),
});

export const scene: Scene = {
  title: 'Speech: two people of two languages, read along, one bad line, and how sure each line is',
  long: true,
  settings: { EARSHOT_TRANSCRIBER: 'openai-realtime', EARSHOT_OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
  async play(stage) {
    const speech = await speechForTests();
    if (speech === null) return stage.tell('Here is no recogniser: apt could not fetch it.');
    const sentence = await clip(speech, 'librivox/sense_and_sensibility_01_austen_64kb-0870');
    const [order, cards] = await Promise.all([clip(speech, 'goforward'), clip(speech, 'cards/001')]);
    writeFileSync(join(stage.folder, 'ann.wav'), spokenFile(0.5, sentence, 1.5, cards, 2));
    writeFileSync(join(stage.folder, 'ben.wav'), spokenFile(1.5, cards, 1.5, order, 2));

    writeFileSync(join(stage.folder, 'rule.yaml'), rule);
    stage.tell(
      'One machine writes for others: `speech serve` offers pocketsphinx, and the daemon streams to it. It knows English only.',
    );
    const server = stage.start(`earshotd speech serve --port ${port}`, {
      env: { EARSHOT_TRANSCRIBER: 'pocketsphinx', EARSHOT_SPEECH_DIR: speech.speechDir, EARSHOT_DATA_DIR: './served' },
      within: 300_000,
    });
    await server.prints(/listens on/);
    stage.tell(
      'The project speaks English. Ben is known to speak German: the recogniser is told so, and his lines say so. (His recording is English, because this recogniser knows nothing else.) A rule warns for cards, in German only.',
    );
    await stage.run('earshot settings update --speech-language en', { quiet: true });
    await stage.run('earshot participants create ben --name Ben --language de');
    await stage.run('earshot rules create --file rule.yaml');

    stage.tell('Recordings of both are played in one room. The project does not want the word "forward".');
    await stage.run(`echo '{"words":["forward"]}' | earshot plugins install toxicity --settings -`, { quiet: true });
    const made = await stage.run('earshot sessions create --title Demo --room demo --json', { quiet: true });
    const { id } = identified.parse(JSON.parse(made.stdout));
    await stage.run('sleep 3', { quiet: true });
    const reading = stage.start('earshot events tail --types "message.*" --partials');
    await stage.run('sleep 2', { quiet: true });
    const ann = stage.start('earshot rooms speak demo ann.wav --user ann --name Ann', { quiet: true });
    const ben = stage.start('earshot rooms speak demo ben.wav --user ben --name Ben', { quiet: true });
    await reading.prints(/message\.partial/, 60_000);
    await Promise.all([ann.ends(), ben.ends()]);
    const lines = await eventually(async () => {
      const { stdout } = await stage.run(`earshot sessions messages ${id} --json`, { quiet: true });
      const spoken = z
        .array(Line)
        .parse(JSON.parse(stdout))
        .filter(({ origin }) => origin === 'speech');
      if (!spoken.some(({ annotations = [] }) => annotations.length > 0) || spoken.length < 4)
        throw new Error(`Not all is written: ${stdout}`);
      return spoken;
    }, 60_000);
    const { stdout } = await reading.stop();
    const first = (pattern: RegExp) => stdout.search(pattern);
    stage.check('text is shown before the first message', first(/message\.partial/) < first(/"origin":"speech"/));

    stage.tell('The transcript has the messages only; the bad line is marked, and each says how sure it is.');
    await stage.run(`earshot sessions messages ${id}`);
    const bad = lines.filter(({ annotations = [] }) => annotations.length > 0);
    stage.check(
      'the bad line is marked, and no other',
      bad.every(({ content }) => content.includes('forward')),
    );
    stage.check('both are in it', new Set(lines.map(({ externalUserId }) => externalUserId)).size === 2);
    stage.check(
      'every line has its language and its confidence',
      lines.every(
        ({ language, externalUserId, asr }) =>
          language === (externalUserId === 'ben' ? 'de' : 'en') && asr?.confidence != null,
      ),
    );
    const sayingClubs = lines.filter(({ content }) => content.includes('clubs'));
    stage.check('both said it', new Set(sayingClubs.map(({ externalUserId }) => externalUserId)).size === 2);
    const decided = await eventually(async () => {
      const found = await stage.run('earshot sanctions list --json', { quiet: true });
      if (!found.stdout.includes('"ben"')) throw new Error(`Nobody is warned: ${found.stdout}`);
      return found.stdout;
    }, 30_000);
    await stage.run('earshot rules decisions --rule "German cards" --outcome matched');
    stage.check('the rule warned Ben alone', !decided.includes('"ann"'));
    const log = await stage.run('earshot events tail --since earliest --types "message.*" & sleep 4; kill $!', {
      quiet: true,
    });
    stage.check('the log has no text of before the end', !log.stdout.includes('message.partial'));
  },
};
