import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sampleRate } from '../../daemon/modules/sessions/recognisers/transcriber.js';
import { SanctionListResponse } from '../../src/contract/moderation/sanctions.js';
import { eventually } from '../support/eventually.js';
import { clip, lendSpeech, speechForTests, spokenFile } from '../support/speech-clips.js';
import type { Scene } from './scene.js';

const identified = z.object({ id: z.string() });
const repetitions = 12;

/** The second time costs `seconds`. */
const ruleFile = (seconds: number, mode: 'dry-run' | 'enforce'): string => `name: No orders
definition:
  format: 1
  mode: ${mode}
  when:
    all:
      - annotation: { plugin: toxicity, category: listed }
  steps:
    - - sanction: { type: warn, reason: Do not order others about. }
    - - sanction: { type: mute, duration: ${seconds}, reason: You were warned. }
`;

export const scene: Scene = {
  title: 'A rule: warned, then muted in the middle of speaking, and why',
  long: true,
  settings: { EARSHOT_TRANSCRIBER: 'auto' },
  async play(stage) {
    const speech = await speechForTests();
    if (speech === null) return stage.tell('Here is no recogniser: apt could not fetch it.');
    lendSpeech(speech, stage.daemon.dataDir);
    const sentence = await clip(speech, 'goforward');
    writeFileSync(join(stage.folder, 'once.wav'), spokenFile(0.5, sentence, 1));
    const again = Array.from({ length: repetitions }, () => [sentence, 1.5]).flat();
    writeFileSync(join(stage.folder, 'again.wav'), spokenFile(...again));
    writeFileSync(join(stage.folder, 'rule.yaml'), ruleFile(600, 'dry-run'));
    writeFileSync(join(stage.folder, 'stricter.yaml'), ruleFile(3_600, 'enforce'));

    stage.tell('The project does not want the word "forward". A plugin looks for it in what is said.');
    await stage.run(`echo '{"words":["forward"]}' | earshot plugins install toxicity --settings -`);
    const made = await stage.run('earshot sessions create --title Demo --room demo --json', { quiet: true });
    const { id } = identified.parse(JSON.parse(made.stdout));
    await stage.run('sleep 3', { quiet: true });
    await stage.run('earshot rooms speak demo once.wav --user ann --name Ann');
    await eventually(async () => {
      const { stdout } = await stage.run(`earshot sessions messages ${id}`, { quiet: true });
      if (!stdout.includes('listed')) throw new Error(`No annotation yet: ${stdout}`);
    });
    await stage.run(`earshot sessions messages ${id}`);

    stage.tell('A rule, tried on what was said before it counts: it would have warned Ann.');
    await stage.run('cat rule.yaml');
    const tried = await stage.run('earshot rules test -f rule.yaml --against sessions:1d');
    stage.check('the trial names Ann and the warning', /ann[\s\S]*warn/.test(tried.stdout));
    await stage.run('earshot rules create -f rule.yaml', { quiet: true });
    await stage.run('earshot rules update "No orders" --mode enforce');

    stage.tell(
      'Ann says it over and over. Ben listens. The first time she is warned, the second time muted, while she goes on speaking.',
    );
    const ben = stage.start('earshot rooms listen demo --user ben', { quiet: true });
    await ben.prints(/room\.state/);
    const ann = stage.start('earshot rooms listen demo --user ann', { quiet: true });
    await ann.prints(/room\.state/);
    const speaking = stage.start('earshot rooms speak demo again.wav --user ann --name Ann', { quiet: true });
    await ben.prints(/speech\.started/);
    await ann.prints(/room\.warned/, 60_000);
    await ann.prints(/"room\.muted","muted":true/, 60_000);
    await ben.prints(/speech\.ended/, 60_000);
    await speaking.ends();
    const told = (await ann.stop()).stdout;
    const heard = (await ben.stop()).stdout;
    stage.show(
      [...told.matchAll(/\{"type":"room\.(?:warned|muted)".*\}/g)].map(([line]) => line.slice(0, 110)).join('\n'),
    );
    const spoken = /"type":"speech\.ended".*"seconds":([\d.]+)/g;
    const seconds = [...heard.matchAll(spoken)].reduce((sum, [, one]) => sum + Number(one), 0);
    stage.show(
      `Ann spoke for ${((sentence.length / sampleRate + 1.5) * repetitions).toFixed(0)} s; Ben heard ${seconds.toFixed(1)} s of it.`,
    );
    stage.check(
      'Ben stops hearing Ann when she is muted',
      seconds < (sentence.length / sampleRate) * repetitions * 0.75,
    );

    stage.tell('Why was Ann muted?');
    const listed = await stage.run('earshot sanctions list --user ann --json', { quiet: true });
    const { sanctions } = SanctionListResponse.parse(JSON.parse(listed.stdout));
    await stage.run('earshot sanctions list --user ann');
    const mute = sanctions.find(({ type }) => type === 'mute');
    const chain = await stage.run(`earshot sanctions get ${mute?.id} --evidence`);
    stage.check(
      'the sanction names the rule, its version, the decision, and the words with their score',
      ['Rule      No orders', 'version 2', 'Decision', 'go forward ten meters', 'score'].every((part) =>
        chain.stdout.includes(part),
      ),
    );

    stage.tell('A stricter version is tried on the stored transcripts before it counts.');
    await stage.run('earshot rules test -f stricter.yaml --against sessions:1d');
    await stage.run('earshot rules update "No orders" -f stricter.yaml', { quiet: true });
    await stage.run('earshot rules versions "No orders"');
    await stage.run('earshot rules list');
  },
};
