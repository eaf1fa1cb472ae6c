// Requests of the clients of the events bench.
export const players = 10_000;
/** Event names, each counted by one of the five challenges. */
export const counted = ['kill-enemy', 'instant-kill', 'user-invite', 'capture-flag', 'earn-points'];
/** Each on a leaderboard of its own, and each in a challenge of the battle pass. */
export const onBoards = ['kill-enemy', 'capture-flag', 'earn-points'];
export const inPass = ['instant-kill', 'user-invite'];
const countedByNothing = ['fire-rate', 'heal-unit'];
const unitOf = { 'heal-unit': { unit_type: 'tank' } };

export const playerName = (index) => `player-${index}`;

const pick = (count) => Math.floor(Math.random() * count);
const eventOf = (names) => {
  const event_name = names[pick(names.length)];
  return {
    user_id: playerName(pick(players)),
    event_name,
    event_type: 'single',
    session_id: 'match-1',
    meta_data: { amount: 1 + pick(5), ...unitOf[event_name] },
  };
};

/** Bodies of requests by kind of load. */
export const bodies = {
  counted: () => JSON.stringify(eventOf(counted)),
  /** On the board of the bench of leaderboards. */
  onBoard: () => JSON.stringify(eventOf(['earn-points'])),
  nothing: () => JSON.stringify(eventOf(countedByNothing)),
  /** By a player token, which names the player. */
  own: () => JSON.stringify({ ...eventOf(countedByNothing), user_id: undefined }),
  batch: () => JSON.stringify({ events: Array.from({ length: batchSize }, () => eventOf(counted)) }),
};
export const batchSize = 50;
