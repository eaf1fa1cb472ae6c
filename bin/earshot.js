#!/usr/bin/env node
const { join } = require('node:path');
const { main } = require('../dist/start/earshot.cjs');
main(process.argv.slice(2), join(__dirname, '..'));
