import { plainText, preformatted } from '#src/adapters/slack/render/blocks.js';
import { fieldDiff } from '#src/adapters/slack/render/field-diff.js';
import { emphasised } from '#src/adapters/slack/render/fragments.js';
import { renderNotice } from '#src/adapters/slack/render/notice.js';
import {
  foreign,
  toMrkdwn,
  toNotification,
  toPlainText,
  toRichText,
} from '#src/adapters/slack/render/prose.js';
import { block, painted } from '#src/adapters/terminal/paint.js';
import { onOneLine } from '#src/cli/output.js';
import { withoutSecrets } from '#src/core/diagnosis/without-secrets.js';
import { code, moment, type Prose, person, quote, strong, word } from '#src/core/language/prose.js';
import { particle } from '#src/core/language/words.js';
import { columnsOf, shortened, shownName, wrapped } from '#src/core/picture/columns.js';
import { codeSpan, markdown } from '#src/core/redaction/markdown.js';
import { redact, redactValue } from '#src/core/redaction/redact.js';
import { untrusted } from '#src/core/redaction/untrusted.js';
import { fieldAt, pathBelow } from '#src/core/remediation/field-at.js';
import { nameAt, shownValue } from '#src/core/remediation/shown-value.js';
import { buildFinding } from '#support/diagnosis.js';
import type { ForeignTextReader } from './foreign-text-reader.js';

const secretWords = [
  'password="',
  'a://user:',
  'Authorization: Basic ',
  '-----BEGIN PRIVATE KEY-----',
  'sshpass -p ',
  '\\"',
];
const pathWords = ['spec.template.', '[web]', '].value', '[', 'a.b[c.d]'];

const spans = (text: string): Prose => [code(text), quote(text), strong('a'), moment(text), person(text)];
const paint = { colour: true, width: 80 };

export const shownTextReaders: readonly ForeignTextReader[] = [
  { name: 'redact', words: secretWords, run: redact },
  { name: 'redactValue', words: secretWords, run: (text) => redactValue(text, text) },
  { name: 'untrusted', words: secretWords, run: (text) => untrusted(text, 200) },
  {
    name: 'shownValue',
    words: secretWords,
    run: (text) => shownValue('env', [{ name: text, value: text }, text]),
  },
  {
    name: 'withoutSecrets',
    words: secretWords,
    run: (text) =>
      withoutSecrets(buildFinding({ summary: { catalogue: 'a', key: 'b', values: { text } } as never })),
  },
  {
    name: 'prose in Slack',
    words: ['*a*', '<!channel>', '`'],
    run: (text) => [
      toMrkdwn(spans(text)),
      toNotification(spans(text)),
      toPlainText(spans(text)),
      toRichText(spans(text)),
      foreign(code(text) as never, { code: 10, quote: 10 }),
      renderNotice(spans(text)),
      preformatted(text, 2_000),
      plainText(text, 75),
    ],
  },
  { name: 'emphasised', words: [' a '], run: (text) => emphasised([word(text)]) },
  {
    name: 'paths of fields',
    words: pathWords,
    run: (text) => [nameAt(text), fieldAt({ spec: { a: [{ name: text }] } }, text), pathBelow('spec', text)],
  },
  {
    name: 'fieldDiff',
    words: pathWords,
    run: (text) => [
      fieldDiff([{ path: text, before: 'a', after: 'b' }]),
      fieldDiff([{ path: 'spec.a', before: text.slice(0, 2_000), after: 'b' }]),
    ],
  },
  {
    name: 'prose in a terminal',
    words: ['`', '\u001b[31m'],
    run: (text) => [painted(paint, spans(text)), markdown(spans(text)), codeSpan(text), onOneLine({ text })],
  },
  {
    name: 'a paragraph in a terminal',
    words: ['a '],
    run: (text) => block(paint, '  ', untrusted(text, 4_000)),
  },
  {
    name: 'columns of the picture',
    words: ['node-a.example.com'],
    run: (text) => [columnsOf(text), shortened(text, 20), shownName(text, 20), wrapped(text, 60)],
  },
  { name: 'particle', words: ['web3'], run: (text) => particle(text, '이', '가') },
];
