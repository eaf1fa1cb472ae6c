/** Results as a JUnit file, which CI systems show test by test. */
import { escapedAttribute } from '../../text/markup.js';

export interface TestCase {
  readonly name: string;
  readonly seconds: number;
  /** null: passed. */
  readonly failure: { readonly message: string; readonly detail: string } | null;
}

/** Characters that XML 1.0 cannot contain in any form. */
const unwritable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const written = (text: string): string => escapedAttribute(text.replaceAll(unwritable, '\ufffd'));

export function junit(suite: string, cases: readonly TestCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== null).length;
  const seconds = Math.max(0, ...cases.map((one) => one.seconds)).toFixed(3);
  const lines = cases.map((one) => {
    const head = `    <testcase classname="${written(suite)}" name="${written(one.name)}" time="${one.seconds.toFixed(3)}"`;
    if (one.failure === null) return `${head}/>`;
    const { message, detail } = one.failure;
    return `${head}>\n      <failure message="${written(message)}">${written(detail)}</failure>\n    </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${cases.length}" failures="${failures}" time="${seconds}">`,
    `  <testsuite name="${written(suite)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="0" time="${seconds}">`,
    ...lines,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
