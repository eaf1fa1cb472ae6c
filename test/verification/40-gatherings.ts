import { z } from 'zod';
import type { Scene } from './scene.js';

const made = z.object({ id: z.string(), joinCode: z.string() });
const listed = z.array(z.object({ id: z.string() }));

export const scene: Scene = {
  title: 'A lobby fills, gets ready and starts',
  async play(stage) {
    for (const name of ['ann', 'bob', 'cid', 'dan'])
      await stage.run(`earshot participants create --external-user-id ${name}`, { quiet: true });

    stage.tell('Ann opens a lobby for three. Whoever has the code may join, while there is a seat.');
    const created = await stage.run(
      'earshot gatherings create --name "Friday raid" --max-members 3 --owner ann --json',
    );
    const { id, joinCode } = made.parse(JSON.parse(created.stdout));
    const watching = stage.start(`earshot gatherings watch ${id} | grep -o '^{"id":[^,]*,"type":"[^"]*"'`);
    await watching.prints(/Watching/);
    await stage.run(`earshot gatherings join ${joinCode.toLowerCase()} bob`);
    const [invitation] = listed.parse(
      JSON.parse((await stage.run(`earshot gatherings invite ${id} cid --expires-at "in 2h" --json`)).stdout),
    );
    await stage.run(`earshot gatherings accept ${invitation?.id} cid`);

    stage.tell('The lobby is full now; the fourth is told so, and what to do.');
    const refused = await stage.run(`earshot gatherings join ${joinCode} dan`, { exitCode: 5 });
    stage.check('nobody gets a seat that is not there', refused.stderr.includes('no free seat'));

    stage.tell('A queue delay holds the ready mark of Bob back; the others are ready at once.');
    await stage.run(
      `earshot sanctions issue --type queue_delay --external-user-id bob --parameters '{"delaySeconds":3}'`,
    );
    await stage.run(`printf 'ann\\nbob\\ncid\\n' | earshot gatherings ready ${id} -`);

    stage.tell('Ann leaves; the one who has been there longest owns the lobby, which starts and is over.');
    await stage.run(`earshot gatherings leave ${id} ann`);
    await stage.run(`earshot gatherings members ${id}`);
    await stage.run(`earshot gatherings start ${id} --room-id "raid hall"`);
    await stage.run(`earshot gatherings end ${id}`);
    const told = await watching.ends();
    stage.check('the stream told of everything, and ended with the gathering', told.stdout.includes('gathering.ended'));
    const over = await stage.run(`earshot gatherings join ${joinCode} dan`, { exitCode: 5 });
    stage.check('nobody enters what is over', over.stderr.includes('is over'));
  },
};
