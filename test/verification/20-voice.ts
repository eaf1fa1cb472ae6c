import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { clip, lendSpeech, speechForTests, spokenFile } from '../support/speech-clips.js';
import type { Scene } from './scene.js';

const identified = z.object({ id: z.string() });

export const scene: Scene = {
  title: 'A voice in a room: written down, silenced, removed',
  long: true,
  settings: { EARSHOT_TRANSCRIBER: 'auto' },
  async play(stage) {
    const speech = await speechForTests();
    if (speech === null) return stage.tell('Here is no recogniser: apt could not fetch it.');
    lendSpeech(speech, stage.daemon.dataDir);
    const sentence = await clip(speech, 'goforward');
    writeFileSync(join(stage.folder, 'go.wav'), spokenFile(0.5, sentence));
    const long = Array.from({ length: 8 }, () => [1, sentence]).flat();
    writeFileSync(join(stage.folder, 'long.wav'), spokenFile(...long));

    stage.tell(
      'A session sends the bot into a room. Somebody says "go forward ten meters" there, a recording of a person.',
    );
    const made = await stage.run('earshot sessions create --title Demo --external-room-id demo --json', {
      quiet: true,
    });
    const { id } = identified.parse(JSON.parse(made.stdout));
    const tail = stage.start('earshot events tail --types "message.*,participant.*,sanction.*"', { quiet: true });
    await stage.run('sleep 3', { quiet: true });
    await stage.run('earshot rooms speak demo go.wav --user u1 --name Ann');
    await tail.prints(/go forward ten meters/);
    await stage.run(`earshot sessions messages ${id}`);

    stage.tell(
      'A listener hears somebody speak; a moderator silences them in the middle of a sentence, and then removes them.',
    );
    const listening = stage.start('earshot rooms listen demo --user u2');
    await listening.prints(/room\.state/);
    const speaking = stage.start('earshot rooms speak demo long.wav --user u1', { exitCode: 5 });
    await listening.prints(/speech\.started/);
    await stage.run('earshot mute u1 10m --reason shouting');
    await listening.prints(/speech\.ended/);
    await stage.run('earshot unmute u1');
    await listening.prints(/speech\.ended[\s\S]*speech\.started/);
    await stage.run('earshot rooms kick demo u1');
    const removed = await speaking.ends();
    await listening.stop();
    stage.check('whoever is removed is told so', removed.stderr.includes('A moderator removed you from the room'));
    const told = await tail.stop();
    for (const type of [
      'participant.joined',
      'message.created',
      'sanction.created',
      'sanction.revoked',
      'participant.left',
    ])
      stage.check(`${type} is among the events`, told.stdout.includes(`"type":"${type}"`));
  },
};
