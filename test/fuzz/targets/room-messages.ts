import { Attendance } from '../../../daemon/modules/rooms/embedded/attendance.js';
import {
  closeCall,
  publishCall,
  RequestFrame,
  removeCall,
  UpFrame,
} from '../../../daemon/modules/rooms/embedded/protocol.js';
import { type FuzzTarget, hold } from '../engine/target.js';

const calls = [publishCall, closeCall, removeCall];

/** Each line is a message. Bytes come as `{"$bytes":"hex"}`. */
function messagesIn(input: Buffer): unknown[] {
  return input
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line, asBytes)];
      } catch {
        return [];
      }
    });
}
const asBytes = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$bytes' in value ? Buffer.from(String(value.$bytes), 'hex') : value;

function parse(input: Buffer): Attendance {
  const attendance = new Attendance(
    () => {},
    (stampMs) => new Date(stampMs),
  );
  for (const message of messagesIn(input)) {
    const request = RequestFrame.safeParse(message).data;
    if (request !== undefined) for (const call of calls) call.request.safeParse(request.request);
    const frame = UpFrame.safeParse(message).data;
    if (frame === undefined) continue;
    if (/^(peer|resource|slot|voice)\./.test(frame.kind)) attendance.apply(frame as Parameters<Attendance['apply']>[0]);
  }
  return attendance;
}

/** Messages between the daemon and a room process. */
export const roomMessages: FuzzTarget = {
  name: 'room-messages',
  maxBytes: 256 * 1024,
  parse,
  check(input) {
    const attendance = parse(input);
    for (const name of attendance.rooms().keys()) {
      const present = new Set(attendance.peersIn(name).map(({ externalUserId }) => externalUserId));
      for (const one of attendance.speakingIn(name)) hold(present.has(one), 'Who speaks is in the room.', one);
    }
    attendance.clear(new Date(0));
    hold(attendance.rooms().size === 0, 'Everybody leaves with the process.');
  },
  seeds: [
    '{"kind":"ready"}\n{"kind":"peer.joined","room":{"projectId":"p","roomId":"r"},"person":{"externalUserId":"a","name":"A","userData":{},"publishing":true,"muted":false,"observer":false},"stampMs":5}\n{"kind":"voice.changed","room":{"projectId":"p","roomId":"r"},"externalUserId":"a","speaking":true}\n{"kind":"peer.left","room":{"projectId":"p","roomId":"r"},"externalUserId":"a","reason":"left","stampMs":6}',
    '{"kind":"slot.changed","room":{"projectId":"p","roomId":"r"},"slot":{"listener":"b","resourceId":"x","slot":0,"speaker":"a"}}\n{"kind":"resource.closed","room":{"projectId":"p","roomId":"r"},"externalUserId":"b","resourceId":"x","reason":"lost"}',
    '{"kind":"packets","room":{"projectId":"p","roomId":"r"},"packets":[{"externalUserId":"a","name":"A","publicationId":"1","audible":true,"sequence":1,"timestamp":960,"stampMs":5,"payload":{"$bytes":"78aabb"}}]}',
    '{"id":1,"name":"publish","request":{"offerSdp":"v=0","visitor":{"projectId":"p","roomId":"r","externalUserId":"a","name":"A","userData":{},"tokenId":"t","observer":false},"policy":{"publish":true,"audible":true,"speakingSecondsPerMinute":null},"seal":null}}',
    '{"kind":"refusal","id":1,"code":"room_full","message":""}',
  ],
  words: [
    '"kind":',
    '"peer.joined"',
    '"peer.left"',
    '"voice.changed"',
    '"room":',
    '"roomId":"r"',
    '"__proto__"',
    'null',
    '\n',
    '{',
    '}',
    '1e99',
    '-1',
  ],
};
