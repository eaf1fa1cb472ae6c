/**
 * Writes what became of each file of a run, for report.mjs: a JSON object with paths as keys, to the file
 * `EARSHOT_CI_REPORT`. A file that also runs on PostgreSQL has a key for each.
 */
import { writeFileSync } from 'node:fs';

const reasonOf = (errors) => errors.map(({ stack, message }) => stack || message).join('\n');

const where = process.env.EARSHOT_TEST_DATABASE === 'postgresql' ? ' on PostgreSQL' : '';

export default class {
  onTestRunEnd(modules, unhandled) {
    const files = {};
    for (const module of modules) {
      const file = { passed: 0, skipped: [], failed: [] };
      files[`${module.relativeModuleId}${where}`] = file;
      const fails = (name, errors) => file.failed.push({ name, reason: reasonOf(errors) });
      if (module.errors().length > 0) fails('the file', module.errors());
      for (const suite of module.children.allSuites())
        if (suite.errors().length > 0) fails(suite.fullName, suite.errors());
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed') file.passed += 1;
        else if (state === 'failed') fails(test.fullName, errors);
        else file.skipped.push(test.fullName);
      }
    }
    if (unhandled.length > 0)
      files['outside of every test'] = { passed: 0, skipped: [], failed: [{ name: '', reason: reasonOf(unhandled) }] };
    writeFileSync(process.env.EARSHOT_CI_REPORT, JSON.stringify(files));
  }
}
