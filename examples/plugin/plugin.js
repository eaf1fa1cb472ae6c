/**
 * A plugin of your own: one function from an event to annotations. Try it, then install it for every project:
 *
 *   earshotd plugins test ./examples/plugin
 *   earshotd plugins install ./examples/plugin
 *   earshot instances create shouting --set letters=5
 *
 * It runs apart from everything else: `fetch`, `console` and the language are all it has.
 */
export default function shouting(event, { settings }) {
  const { content, type } = event.payload.data;
  const letters = content.match(/\p{L}/gu) ?? [];
  if (type !== 'user' || letters.length < settings.letters) return null;
  const loud = letters.filter((letter) => letter !== letter.toLowerCase()).length;
  const share = Math.round((loud / letters.length) * 100) / 100;
  return share < 0.8 ? null : { annotations: [{ type: 'shouting', content: { score: share } }] };
}
