/**
 * What a game client shows of a player's challenges, live: asks for the player's topic, and prints every step.
 *
 *   EARSHOT_PROJECT=… EARSHOT_PLAYER_TOKEN=… node mqtt-player.mjs
 *   earshot player-tokens create u1     makes such a token; a game's server does so with `routes.players.createToken`
 */
import { EarshotClient, routes } from 'earshot';
import { connect } from 'mqtt';

const { EARSHOT_URL: baseUrl = 'http://127.0.0.1:8080', EARSHOT_PLAYER_TOKEN: token = '' } = process.env;
const { EARSHOT_PROJECT: appId = '' } = process.env;
const daemon = new EarshotClient({ baseUrl, credential: { kind: 'bearer', token } });

const names = new Map();
const show = ({ challenge_id: id, user_challenge_current_score: score, challenge_goal: goal, type }) =>
  console.log(`${names.get(id) ?? id}: ${score} of ${goal}, ${type}`);

/** Topics keep nothing for later: a client that has just subscribed asks for the current state. */
async function showAll() {
  const categories = await daemon.call(routes.playerChallenges.all, { params: { appId } });
  for (const challenge of categories.flatMap(({ challenges }) => challenges)) {
    names.set(challenge.challenge_id, challenge.challenge_name);
    show(challenge);
  }
}

const { topic } = await daemon.call(routes.gameplay.challengesTopic, {});
const broker = connect(`${baseUrl.replace(/^http/, 'ws')}/mqtt`); // connects again by itself

broker.on('connect', async () => {
  await broker.subscribeAsync(topic, { qos: 1 });
  await showAll();
});
broker.on('message', (_, payload) => {
  show(JSON.parse(payload.toString()).new_challenge);
});
broker.on('error', ({ message }) => console.error(message));
