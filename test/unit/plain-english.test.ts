import { describe, expect, it } from 'vitest';
import { countSentences, filesWithSentences, sourceOf, wordProblems } from './plain-english.js';

/** Folders, and files that no rule for names finds. */
const checked = [
  'src/edges/webhooks',
  'src/edges/login',
  'src/edges/slack',
  'src/edges/terminal',
  'src/edges/cli',
  'src/edges/cli/run-process.ts',
  'src/edges/cli/shared-options.ts',
  'src/doctor/forecasts',
  'src/doctor/commands',
  'src/doctor/causes',
  'src/doctor/findings',
  'src/doctor/incidents',
  'src/doctor/pictures',
  'src/engine/messages',
  'src/doctor/fixes',
  'src/doctor/requested',
  'src/service',
];
const files = filesWithSentences(checked);

describe('plain English', () => {
  it.each(files)('is used in %s', (file) => {
    expect(wordProblems(sourceOf(file))).toEqual([]);
  });

  it('is checked in every catalogue of the surfaces', () => {
    expect(files.length).toBeGreaterThanOrEqual(25);
    expect(files.reduce((sum, file) => sum + countSentences(sourceOf(file)), 0)).toBeGreaterThan(1_000);
  });
});

/** `#{…}` in a table represents a value in a template. */
const withTemplates = (source: string): string => source.replaceAll('#{', '\u0024{');

describe('the check for plain English', () => {
  it.each([
    ['an inverted verdict', 'say`The rollout of #{code(workload)} stands still.`'],
    ['a metaphor of illness', "const title = 'The node is well again.'"],
    ['a bare pronoun', "const title = 'Whoever asks is answered.'"],
    ['a noun that is missing', "const title = 'There is no review.'"],
    ['a homely verb', 'say`The API server said: #{quote(message)}`'],
    ['a join by a semicolon', "const title = 'Nothing was done; press again.'"],
    ['an old button', "const button = { text: 'Look again' }"],
    ['an old heading', "const heading = () => say`#{strong('Ways out')}`"],
    ['a sentence of 31 words', `const text = '${'word '.repeat(31)}'`],
    ['"at" before a moment', 'say`This review expires at #{moment(at)}.`'],
    ['counted ready pods in Korean', 'say`파드 #{wanted}개 중 #{ready}개가 준비되었습니다.`'],
    ['a Korean particle in brackets', 'say`#{code(pod)}은(는) 이미 없습니다.`'],
    ['a Korean metaphor', "const title = '롤아웃이 자기 자신을 기다리고 있습니다.'"],
    ['a sentence inside of a value', "say`It is #{word(isDone ? 'carried out' : 'open')}.`"],
    ['a second sentence', "const title = 'Done. Nobody is served.'"],
  ])('refuses %s', (_, source) => {
    expect(wordProblems(withTemplates(source))).not.toEqual([]);
  });

  it.each([
    ['a plain sentence', 'say`Kubernetes stops #{names(pods)} and starts #{count} pods.`'],
    ['keys of a catalogue', "const text = { 'ways-out': () => say`Fixes` }; text['not-offered'];"],
    ['the name of a module', "import { diagnoseAgain } from './diagnose-again.js';"],
    ['a type', "type Key = 'look again' | 'told';"],
    ['a code that is compared', "if (state === 'told off') stop();"],
    ['a command as an example', "say`Run #{code('rollout-doctor look --tell')}.`"],
  ])('accepts %s', (_, source) => {
    expect(wordProblems(withTemplates(source))).toEqual([]);
  });
});
