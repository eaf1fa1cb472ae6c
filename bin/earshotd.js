#!/usr/bin/env node
const { join } = require('node:path');
const { start } = require('../dist/start/earshotd.cjs');
start(process.argv, join(__dirname, '..'));
