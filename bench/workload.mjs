// What the clients of the events bench send.
export const players = 10_000;
/** Event names, each counted by one of the five challenges. */
export const counted = ['kill-enemy', 'instant-kill', 'user-invite', 'capture-flag', 'earn-points'];

export const playerName = (index) => `player-${index}`;

const pick = (count) => Math.floor(Math.random() * count);
export const randomEvent = () =>
  JSON.stringify({
    user_id: playerName(pick(players)),
    event_name: counted[pick(counted.length)],
    event_type: 'single',
    session_id: 'match-1',
    meta_data: { amount: 1 + pick(5) },
  });
