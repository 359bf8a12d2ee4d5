import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultText } from '#src/doctor/input/input-error.js';
import { cliText } from '#src/edges/cli/cli-text.js';
import { runCli } from '#src/edges/cli/run-process.js';
import type { Language } from '#src/engine/language/language.js';
import { plain } from '#src/engine/language/prose.js';

/** Three English words in a row. Names of fields, programs and their arguments are shorter. */
const englishSentence = /[a-z]{2,} [a-z]{2,} [a-z]{2,}/iu;
const hangul = /[가-힣]/u;

/** Values for every parameter that a reason or an error of the command line has. */
const values = {
  code: 'EIO',
  mebibytes: 16,
  max: 1_000,
  reason: 'bad indentation of a mapping entry',
  format: 'PDF',
  object: 'Pod a',
  field: 'spec.replicas',
  problem: { file: 'a.yaml', place: { line: 2, column: 3 }, fault: { key: 'folder', values: {} } },
  fault: { key: 'folder', values: {} },
  usual: '/home/me/.kube/config',
  name: 'a',
  nearest: ['b'],
  where: 'recording',
  known: ['b'],
  choices: ['b'],
  namespace: 'shop',
  namespaces: ['shop'],
  because: 'forbidden',
  message: '',
  text: 'today',
  paths: ['a.yaml'],
  file: 'a.yaml',
  line: 2,
  kind: 'Deployment',
  isTemplate: true,
  why: 'no-folder',
  what: 'Pod',
  objects: 3,
  cluster: 'prod',
  diagnoses: 2,
  maxCharacters: 100,
  workload: 'shop/a',
  seconds: 60,
  conditions: [{ type: 'Ready', reason: 'Failed', message: '' }],
  isAction: false,
  owner: { kind: 'Job', name: 'migrate' },
  asked: 'StatefulSet',
  commands: ['deployment/a -n shop'],
  words: ' --from a.yaml',
  command: 'kubectl',
  held: ['Event (3)'],
  from: 'a.yaml',
  id: 'a1b2',
} as const;

/** What quotes an English message as an example. */
const withoutExamples = (sentence: string): string => sentence.replaceAll(/"[^"]*"|'[^']*'/gu, '');

describe('every reason why a file cannot be used', () => {
  it.each(Object.keys(faultText.en) as (keyof typeof faultText.en)[])('has a Korean sentence: %s', (key) => {
    const say = faultText.ko[key] as (given: unknown) => string;

    expect(say(values)).toMatch(hangul);
    expect(say(values)).not.toMatch(englishSentence);
    expect(say({ ...values, field: '' })).not.toMatch(englishSentence);
  });
});

describe('every error of the command line', () => {
  const line = [{ kind: 'text', text: '진단' }];

  it.each(Object.keys(cliText.en) as (keyof typeof cliText.en)[])('has a Korean sentence: %s', (key) => {
    const say = cliText.ko[key] as (given: unknown) => Parameters<typeof plain>[0];
    // Of the GitHub Action and of the watch.
    const sentence = withoutExamples(plain(say(key === 'watch-gone' ? { line } : values)));

    expect(sentence).toMatch(hangul);
    expect(sentence).not.toMatch(englishSentence);
  });
});

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-errors-'));
  const files: Readonly<Record<string, string>> = {
    'empty.json': '',
    'cut.json': '{"kind":"List","items":[{"kind":"Pod"',
    'broken.yaml': 'kind: Pod\n  metadata: [',
    'wrong.yaml': 'kind: Pod\nmetadata: {name: a}\nspec: 7\n',
    'template.yaml': 'a: {{ .x }}: [\n',
    'list.yaml': '[1, 2]',
    'nul.yaml': 'a\0b',
    'alias.yaml': 'a: *b',
    'text.yaml': 'just text',
    'event.yaml': 'apiVersion: v1\nkind: Event\nmetadata: {name: a, namespace: a;b}\nmessage: x\n',
    'good.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: b}\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, 'folder'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
});

afterAll(() => rmSync(folder, { recursive: true }));

async function run(args: readonly string[], language: Language) {
  let err = '';
  const status = await runCli(['--lang', language, ...args.map((arg) => arg.replace('FOLDER', folder))], {
    out: () => undefined,
    err: (text) => {
      err += text;
    },
    paint: { colour: false, width: 80 },
    watched: false,
  });
  return { status, err };
}

describe('wrong input with --lang before the command', () => {
  it.each([
    ['scan --from FOLDER/none', 3],
    ['scan --from FOLDER/empty.json', 3],
    ['scan --from FOLDER/cut.json', 3],
    ['scan --from FOLDER/broken.yaml', 3],
    ['scan --from FOLDER/wrong.yaml', 3],
    ['diagnose a --from FOLDER/wrong.yaml', 3],
    ['scan --from FOLDER/folder', 3],
    ['scan --from FOLDER/pipe', 3],
    ['scan --from FOLDER/nul.yaml', 3],
    ['scan --from FOLDER/alias.yaml', 3],
    ['scan --from FOLDER/text.yaml', 3],
    ['scan --from FOLDER/none --at today', 2],
    ['check -f FOLDER/template.yaml --against FOLDER/wrong.yaml', 3],
    ['check -f FOLDER/none.yaml', 3],
    ['check -f FOLDER/wrong.yaml --at today', 2],
    ['scan -A --kubeconfig FOLDER/list.yaml', 3],
    ['scan -A --kubeconfig FOLDER/none', 3],
    ['scan -A --kubeconfig FOLDER/folder', 3],
    ['record FOLDER/x.json -A --kubeconfig FOLDER/nul.yaml', 3],
    ['record FOLDER/x.json', 2],
    ['record FOLDER/x.txt -A', 2],
    ['diagnose', 2],
    ['diagnos', 2],
    ['diagnose a --lung', 2],
    ['diagnose a -o xml', 2],
    ['diagnose a --from', 2],
    ['check', 2],
    ['check -f FOLDER/good.yaml --kubeconfig FOLDER/none', 3],
    ['help nope', 2],
    ['scan -o html', 2],
    ['completion cmd', 2],
  ])('ends in a sentence of that language: %s', async (command, status) => {
    const [english, korean] = [await run(command.split(' '), 'en'), await run(command.split(' '), 'ko')];

    expect([english.status, korean.status]).toEqual([status, status]);
    expect(english.err).not.toMatch(hangul);
    expect(korean.err).toMatch(hangul);
    expect(withoutExamples(korean.err.replaceAll(folder, ''))).not.toMatch(englishSentence);
  });
});

describe('a slip on the command line', () => {
  it.each([
    ['help nope', 'Unknown command nope.'],
    ['ml/inference', "use 'rollout-doctor diagnose ml/inference'."],
    ['restart ml/inference', "use 'rollout-doctor diagnose namespace/name'."],
    ['help scna', 'Unknown command scna. Did you mean scan?'],
    ['scan ml -n shop', 'Enter one namespace'],
    ['scan ml -A', 'Enter one namespace'],
    ['scan ml --kubeconfig FOLDER/none', 'read saved objects with --from PATH.'],
    ['scan -o html', 'Use scan -A --fragile -o html.'],
    ['check -f FOLDER/good.yaml --kubeconfig FOLDER/none', 'use --against FOLDER.'],
    ['check FOLDER/good.yaml --kubeconfig FOLDER/none', 'use --against FOLDER.'],
    ['check', 'such as check web.yaml'],
    ['check ml/inference', 'use rollout-doctor diagnose ml/inference.'],
    ['check -f deploy/web', 'use rollout-doctor diagnose deploy/web.'],
    ['check manifests/web.yaml', 'there is no such file or folder'],
    ['version', 'Unknown command version. Did you mean --version?'],
    ['check -f FOLDER/good.yaml --from FOLDER', 'To read saved objects, use --against PATH.'],
    ['diagnose -f FOLDER/good.yaml', 'Only check has this option. To read saved objects, use --from PATH.'],
    ['scan ml/inference', 'use rollout-doctor diagnose ml/inference.'],
    ['diagnose a --fragile', 'Only scan has this option.'],
    ['diagnose node/x --from test/scenarios/gpu-one-node', 'Nodes are not supported yet.'],
    [
      'diagnose --from test/kubectl-text/gpu-one-node/events.txt',
      'It has only Event (3). Add the output of kubectl get deploy,rs,sts,ds,pods,events -o yaml.',
    ],
    [
      'diagnose ml/inference --from test/kubectl-text/gpu-one-node/events.txt',
      'The recording has no workload, such as a Deployment.',
    ],
    [
      'diagnose --from test/scenarios/crash-two-daemonsets-same-node',
      'Name one, or use rollout-doctor scan --from test/scenarios/crash-two-daemonsets-same-node.',
    ],
    ['diagnose --from FOLDER/event.yaml', 'kubectl get deploy,rs,sts,ds,pods,events -o yaml.'],
    ['diagnose', 'The workload is missing. Use a name such as ml/inference'],
    [
      'diagnose web -n jobs --from test/scenarios/gpu-one-node',
      'Workload jobs/web not found in the recording.',
    ],
  ])('is answered in one line with what to do: %s', async (command, says) => {
    const { err } = await run(command.split(' '), 'en');

    expect(err).toContain(says);
    expect(err.trimEnd()).not.toContain('\n');
  });

  it('leaves the help of a command as it is', async () => {
    expect(await run(['help', 'scan'], 'en')).toEqual({ status: 0, err: '' });
  });
});
