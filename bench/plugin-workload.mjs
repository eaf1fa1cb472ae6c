// What is said in the bench of plugins, and the rules that judge it.
export const installed = ['toxicity', 'sentiment', 'shouting'];

const names = ['amber', 'birch', 'cedar', 'dahlia', 'elm', 'fern', 'ginkgo', 'hazel', 'iris', 'juniper'];
const said = [
  'somebody should watch the bridge in the north',
  'two of them are behind the house and one is on the roof',
  'nice shot that was really close',
  'wait for me I am out of ammunition',
  'you are a stupid idiot and everybody hates you',
];
/** One message in so many is toxic, and is matched by a second rule. */
const toxicEvery = said.length;

/** Each names one of the words that rules look for. */
export const line = (index) => `${said[index % said.length]} ${names[index % names.length]} ${index}`;

/** How often rules match what is said in this order. */
export const matchesOf = (count) => count + Math.floor(count / toxicEvery);

const announce = [[{ webhook: {} }]];
/** Ten that judge each message, and ten that judge what plugins say of it. They announce, and mute nobody. */
export const definitions = names.flatMap((name) => {
  const words = { words: { any: [name] } };
  const toxic = { annotation: { plugin: 'toxicity', atLeast: 0.5 } };
  return [[words], [toxic, words]].map((all) => ({ format: 1, mode: 'enforce', when: { all }, steps: announce }));
});
