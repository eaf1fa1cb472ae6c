// What the bundle changes of oclif: a command does not load and read what it does not need, and options stay whole in help.
import { createRequire } from 'node:module';
import { replaced } from './bundle-plugins.mjs';

const require = createRequire(import.meta.url);

/** oclif sorts all commands by the rules of a language: loading those takes 25 ms, and the order is the same without. */
const plainOrder = replaced({
  name: 'plain-order-of-commands',
  id: /@oclif\/core\/lib\/config\/plugin\.js$/,
  passage: 'a.id.localeCompare(b.id)',
  by: '(a.id < b.id ? -1 : 1)',
  times: 1,
  otherwise: 'oclif sorts its commands in another way now: look at the start again.',
});

/** oclif reads what is known of all commands. `package.json`, as it gets it, may name a file that tells of fewer. */
const partOfManifest = replaced({
  name: 'part-of-the-manifest',
  id: /@oclif\/core\/lib\/config\/plugin\.js$/,
  passage: 'join)(this.root, `',
  by: 'join)(this.root, this.pjson.oclif.manifest ?? `',
  times: 1,
  otherwise: 'oclif reads its manifest in another way now: look at the start again.',
});

/** oclif reads two small files at each start; `node:fs/promises` takes longer to load than they take to read. */
const readAtOnce = replaced({
  name: 'files-read-at-once',
  id: /@oclif\/core\/lib\/util\/fs\.js$/,
  passage: 'await (0, promises_1.readFile)(',
  by: '(0, node_fs_1.readFileSync)(',
  times: 1,
  otherwise: 'oclif reads its files in another way now: look at the start again.',
});

/** oclif's line of versions says `wsl` for the Linux inside of Windows; to find out, it loads `node:child_process`. */
const linuxIsLinux = replaced({
  name: 'linux-is-linux',
  id: /@oclif\/core\/lib\/util\/os\.js$/,
  passage: "(await import('wsl-utils')).isWsl ? 'wsl' : ",
  by: '',
  times: 1,
  otherwise: 'oclif names the platform in another way now: look at the start again.',
});

/** oclif breaks a long list of options, `mute|warn|…`, within words: marks places behind each option where it may break. */
export const breakable = (text, width) =>
  text.replaceAll(/\S+/g, (word) => (word.length > width ? word.replaceAll('|', '|\u200b ') : word));
/** Takes out the marks where no line was broken. */
export const unmarked = (text) => text.replaceAll(/\u200b ?/g, '');

const breakBetweenOptions = replaced({
  name: 'breaks-between-options',
  id: /@oclif\/core\/lib\/help\/formatter\.js$/,
  passage: '(0, wrap_ansi_1.default)(this.render(body), this.opts.maxWidth - spacing, { hard: true })',
  by: `(${unmarked})((0, wrap_ansi_1.default)((${breakable})(this.render(body), this.opts.maxWidth - spacing), this.opts.maxWidth - spacing, { hard: true }))`,
  times: 1,
  otherwise: 'oclif breaks the lines of its help texts in another way now: look at long lists of options again.',
});

/** Our commands need three parts of oclif. Its index also loads help texts, and compares versions of Node.js. */
const neededParts = {
  name: 'needed-parts-of-oclif',
  resolveId: {
    filter: { id: /^@oclif\/core$/ },
    handler: (id, importer) => (importer?.includes('/node_modules/') ? null : { id: `\0${id}` }),
  },
  load: {
    filter: { id: /^\0@oclif\/core$/ },
    handler: () => `
export * as Args from ${JSON.stringify(require.resolve('@oclif/core/args'))};
export { Command } from ${JSON.stringify(require.resolve('@oclif/core/command'))};
export * as Flags from ${JSON.stringify(require.resolve('@oclif/core/flags'))};`,
  },
};

/** oclif's files require each other, and other packages, when they are loaded. Here each is loaded when it is first used. */
const laterParts = {
  name: 'later-parts-of-oclif',
  transform: {
    filter: { id: /\/@oclif\/core\/lib\/.*\.js$/ },
    handler(code) {
      const names = [];
      const parts = code.replaceAll(/^const (\w+_\d+) = (.*\brequire\("[^"]+"\)\)?);$/gm, (_, name, part) => {
        names.push(name);
        return `let ${name}_part; const ${name} = () => ${name}_part ??= ${part};`;
      });
      const changed = names.reduce(
        (all, name) => all.replaceAll(new RegExp(`\\b${name}\\.`, 'g'), `(${name}()).`),
        parts,
      );
      const isWhole = names.find((name) => new RegExp(`\\b${name}\\b(?!\\(\\)\\)\\.| = \\(\\) =>)`).test(changed));
      if (isWhole !== undefined) throw new Error(`oclif uses ${isWhole} as a whole now: it cannot be loaded later.`);
      return { code: changed, map: null };
    },
  },
};

export const quickOclif = [
  plainOrder,
  partOfManifest,
  readAtOnce,
  linuxIsLinux,
  breakBetweenOptions,
  neededParts,
  laterParts,
];
