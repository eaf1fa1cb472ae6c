/** Preloaded into a program: shows it the data folder as if it were on NFS, which no test can mount. */
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const { statfsSync } = fs;
fs.statfsSync = (path, options) => {
  const state = statfsSync(path, options);
  return String(path).startsWith(process.env.EARSHOT_DATA_DIR) ? Object.assign(state, { type: 0x6969 }) : state;
};
syncBuiltinESMExports();
