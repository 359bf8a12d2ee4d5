import { withoutSecrets } from '#src/doctor/findings/without-secrets.js';
import { fieldAt, pathBelow } from '#src/doctor/fixes/field-at.js';
import { nameAt, shownValue } from '#src/doctor/fixes/forecast-change.js';
import { columnsOf, shortened, shownName, wrapped } from '#src/doctor/pictures/columns.js';
import { codeSpan, markdown } from '#src/doctor/redaction/markdown.js';
import { redact, redactValue } from '#src/doctor/redaction/redact.js';
import { untrusted } from '#src/doctor/redaction/untrusted.js';
import { onOneLine } from '#src/edges/cli/streams.js';
import { plainText, preformatted, renderNotice } from '#src/edges/slack/render/blocks.js';
import { fieldDiff } from '#src/edges/slack/render/picture.js';
import {
  emphasised,
  foreign,
  toMrkdwn,
  toNotification,
  toPlainText,
  toRichText,
} from '#src/edges/slack/render/prose.js';
import { block, painted } from '#src/edges/terminal/paint.js';
import { code, moment, type Prose, person, quote, strong, word } from '#src/engine/language/prose.js';
import { particle } from '#src/engine/language/words.js';
import { buildFinding } from '../../../support/diagnosis.js';
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
