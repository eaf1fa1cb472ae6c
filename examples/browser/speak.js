/** Speaks into a room, hears everybody else, and shows who is there. `server.mjs` serves it and asks for the room token. */
import { accessOf, RoomCall, RoomEvents } from 'earshot/browser';

const byId = (id) => document.getElementById(id);
const [state, joinButton, leaveButton] = [byId('state'), byId('join'), byId('leave')];
const show = (words) => state.replaceChildren(words);
const loudspeakers = [];

/** One line of the call has one loudspeaker; the room puts whoever speaks onto a free line. */
function play(sound, line) {
  loudspeakers[line] ??= new Audio();
  loudspeakers[line].srcObject = sound;
  loudspeakers[line].play();
}

const listItem = (text) => Object.assign(document.createElement('li'), { textContent: text });

/** `room.state` tells everything that is so; what follows are changes. */
const present = new Map();
function follow(event) {
  if (event.type === 'room.state') {
    present.clear();
    for (const person of event.people) present.set(person.externalUserId, person);
  } else if (event.type === 'room.peer') {
    if (event.change === 'left') present.delete(event.person.externalUserId);
    else present.set(event.person.externalUserId, event.person);
  } else if (event.type === 'room.muted') {
    show(event.muted ? `Muted by a moderator: ${event.reason ?? ''}` : 'In the room');
  }
  byId('people').replaceChildren(...[...present.values()].map(({ name }) => listItem(name)));
}

async function join() {
  const access = accessOf(await (await fetch('/room-token', { method: 'POST' })).json());
  const microphone = await navigator.mediaDevices.getUserMedia({ audio: true });
  const events = new RoomEvents(access);
  events.subscribe(follow);
  const onChange = (now) => show(now === 'joined' ? 'In the room' : 'The connection was lost; coming back …');
  const call = new RoomCall(access, { microphone: microphone.getAudioTracks()[0], onSound: play, onChange }, events);
  leaveButton.onclick = () => call.leave();
  leaveButton.disabled = false;
  call.ended
    .then(() => 'Not in the room')
    .catch(({ message }) => message) // a kick, a ban, or a room that was closed
    .then((words) => {
      events.close();
      for (const track of microphone.getTracks()) track.stop();
      [joinButton.disabled, leaveButton.disabled] = [false, true];
      show(words);
    });
  await call.join();
}

joinButton.onclick = () => {
  joinButton.disabled = true;
  join().catch(({ message }) => {
    show(message);
    joinButton.disabled = false;
  });
};
