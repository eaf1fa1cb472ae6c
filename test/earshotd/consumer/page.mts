/** The same in a browser: nothing of Node.js is known here. */
import { accessIn, EarshotClient, RoomCall, RoomEvents, routes, verifyWebhook } from 'earshot/browser';

export const client = new EarshotClient({ baseUrl: location.origin });
export const me = async (): Promise<string> => (await client.call(routes.accounts.me, {})).email;
export const check = verifyWebhook;

export async function join(microphone: MediaStreamTrack): Promise<RoomCall | null> {
  const access = accessIn(location.origin + location.pathname, location.hash.slice(1));
  if (access === null) return null;
  const events = new RoomEvents(access, { onRefused: ({ code }) => console.error(code) });
  events.subscribe((event) => {
    if (event.type === 'room.peer') console.log(event.person.name, event.change);
  });
  const call = new RoomCall(access, { microphone, onSound: (sound: MediaStream) => console.log(sound.id) }, events);
  await call.join();
  return call;
}
