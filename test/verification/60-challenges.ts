import { connectAsync } from 'mqtt';
import { z } from 'zod';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { ChallengeWebhookPayload } from '../../src/contract/gameplay/player-challenges.js';
import { eventually } from '../support/eventually.js';
import type { Scene } from './scene.js';

const identified = z.object({ id: z.string() });
const minted = z.object({ token: z.string() });

export const scene: Scene = {
  title: 'A challenge, from its making to its last step',
  async play(stage) {
    stage.tell('A studio makes a challenge, and a player takes it on.');
    const made = await stage.run(
      'earshot challenges create --name "Three down" --event-name kill-enemy --goal 3 --json',
    );
    const { id } = identified.parse(JSON.parse(made.stdout));
    await stage.run(`earshot players unlock u1 ${id}`);
    await stage.run(`earshot players activate u1 ${id}`);

    stage.tell(
      'The game client asks for its topic and subscribes to it with a plain MQTT client, without credentials.',
    );
    const { token } = minted.parse(
      JSON.parse((await stage.run('earshot player-tokens create u1 --json', { quiet: true })).stdout),
    );
    const client = new EarshotClient({ baseUrl: stage.url, credential: { kind: 'bearer', token } });
    const { topic } = await client.call(gameplayRoutes.challengeTopic, { query: { challenge_id: id } });
    const told: z.infer<typeof ChallengeWebhookPayload>[] = [];
    const mqtt = await connectAsync(`${stage.url.replace('http', 'ws')}/mqtt`);
    mqtt.on('message', (_, payload) => told.push(ChallengeWebhookPayload.parse(JSON.parse(payload.toString()))));
    await mqtt.subscribeAsync(topic);

    for (let event = 0; event < 3; event += 1)
      await stage.run('earshot game-events send kill-enemy --user u1 --amount 1');
    await eventually(() => {
      if (told.length < 3) throw new Error(`${told.length} messages came.`);
    });
    await mqtt.endAsync();
    stage.tell('What the topic said:');
    const steps = told.map(
      ({ new_challenge: now }) => `${now.user_challenge_current_score} of ${now.challenge_goal}: ${now.type}`,
    );
    stage.show(steps.join('\n'));
    stage.check('three events, three messages', told.length === 3);
    stage.check('the last one says unclaimed', told.at(-1)?.new_challenge.type === 'unclaimed');
  },
};
