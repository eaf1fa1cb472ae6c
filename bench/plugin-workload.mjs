// Lines said in the bench of plugins, and the rules that judge them.
export const installed = ['toxicity', 'sentiment', 'shouting'];

const names = ['amber', 'birch', 'cedar', 'dahlia', 'elm', 'fern', 'ginkgo', 'hazel', 'iris', 'juniper'];
const said = [
  'somebody should watch the bridge in the north',
  'two of them are behind the house and one is on the roof',
  'nice shot that was really close',
  'wait for me I am out of ammunition',
  'you are a stupid idiot and everybody hates you',
];
const [every, toxic] = [said.length, said.length - 1];

/** One in five is toxic and has a word that two rules look for. The number makes each another one. */
export const line = (index) =>
  index % every === toxic
    ? `${said[toxic]} ${names[Math.floor(index / every) % names.length]} ${index}`
    : `${said[index % every]} ${index}`;

/** Returns the number of matches of rules in so many lines. */
export const matchesOf = (count) => 2 * Math.floor(count / every);

const announce = [[{ webhook: {} }]];
/** Ten that judge each message, and ten that judge what plugins say of it. They announce, and mute nobody. */
export const definitions = names.flatMap((name) => {
  const words = { words: { any: [name] } };
  const insult = { annotation: { plugin: 'toxicity', atLeast: 0.5 } };
  return [[words], [insult, words]].map((all) => ({ format: 1, mode: 'enforce', when: { all }, steps: announce }));
});
