import { randomUUID } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import type { CheckOutcome } from '../../doctor/forecasts/rollout-check.js';
import { untrusted } from '../../doctor/redaction/untrusted.js';
import { Language, languages } from '../../engine/language/language.js';
import { plain } from '../../engine/language/prose.js';
import { createTell } from '../../service/create-engine.js';
import type { Environment } from '../../settings/config-variable.js';
import { whyNotWritable } from '../recordings/write-recording.js';
import { checkSarif, isProblem } from '../terminal/check-annotations.js';
import {
  type CheckedManifest,
  checkGitHub,
  checkMarkdown,
  checkSummary,
  maxCheckText,
  workflowText,
} from '../terminal/check-report.js';
import { checkObjects, manifestObjects } from './check-objects.js';
import { cliText } from './cli-text.js';
import { CommandFailure, exitStatus, failure } from './exit-status.js';
import { fileUnusable, sourceAgainst } from './sources.js';
import { jsonText } from './streams.js';

/** Worst first: the first one among the checks is the result of the step. */
const worstFirst: readonly CheckOutcome[] = [
  'deadlock',
  'stuck',
  'refused',
  'cannot-tell',
  'completes',
  'unchanged',
];

/** The outcomes that fail the step, by the input `fail-on`. */
const failing: Readonly<Record<string, readonly CheckOutcome[]>> = {
  problem: ['deadlock', 'stuck', 'refused'],
  unknown: ['deadlock', 'stuck', 'refused', 'cannot-tell'],
  never: [],
};

/**
 * The GitHub Action: annotations on standard output, a job summary, outputs and a SARIF file.
 * Inputs and files come by the environment (docs.github.com: workflow commands, metadata syntax of actions).
 *
 * @returns the exit status of the step
 */
export async function runAction(env: Environment, write: (text: string) => void): Promise<number> {
  const language = Language.safeParse(input(env, 'lang')).data ?? 'en';
  try {
    return await checkAndReport(env, language, write);
  } catch (error) {
    const sentence =
      error instanceof CommandFailure
        ? error.sentence(language)
        : cliText[language]['failed-inside']({
            message: error instanceof Error ? error.message : String(error),
          });
    write(`::error::${workflowText(untrusted(plain(sentence), maxCheckText))}\n`);
    return exitStatus.found;
  }
}

async function checkAndReport(
  env: Environment,
  language: Language,
  write: (text: string) => void,
): Promise<number> {
  const failOn = input(env, 'fail-on') ?? 'problem';
  const fails = Object.hasOwn(failing, failOn) ? failing[failOn] : undefined;
  if (fails === undefined) throw inputInvalid('fail-on', Object.keys(failing));
  if (!Language.safeParse(input(env, 'lang') ?? language).success) throw inputInvalid('lang', languages);
  const files = (input(env, 'files') ?? '').split('\n').flatMap((line) => line.trim() || []);
  // The runner does not refuse a step without a required input.
  if (files.length === 0) throw inputInvalid('files', []);
  const against = { against: input(env, 'against'), kubeconfig: input(env, 'kubeconfig'), isAction: true };
  const sarifFile = input(env, 'sarif-file');
  const why = sarifFile === undefined ? undefined : whyNotWritable(sarifFile, true);
  if (sarifFile !== undefined && (why === 'no-folder' || why === 'not-a-file')) {
    throw failure(exitStatus.usage, 'record-unwritable', { file: sarifFile, why });
  }
  const objects = await manifestObjects(files, undefined);
  const source = await sourceAgainst(against);
  // A recording is a file of the repository. A part of it that cannot be read is a fault to mend, and no
  // answer may pass a step because of it.
  const [problem] = source.skipped ?? [];
  if (problem !== undefined) throw fileUnusable(problem);
  const namespace = input(env, 'namespace');
  const { checked, cluster } = await checkObjects(objects, { namespace, against: source });

  const options = { tell: createTell(), language };
  write(checkGitHub(checked.filter(isProblem), options));
  append(env.GITHUB_STEP_SUMMARY, summaryOf(checked, options));
  append(env.GITHUB_OUTPUT, outputLine('result', resultOf(checked)));
  if (sarifFile !== undefined) {
    writeSarif(sarifFile, jsonText(checkSarif(checked, { ...options, cluster })));
    append(env.GITHUB_OUTPUT, outputLine('sarif', sarifFile));
  }
  return checked.some(({ check }) => fails.includes(check.outcome)) ? exitStatus.found : exitStatus.nothing;
}

function summaryOf(
  checked: readonly CheckedManifest[],
  options: Parameters<typeof checkMarkdown>[1],
): string {
  return checked.length === 0
    ? `${plain(cliText[options.language]['no-workloads']())}\n`
    : `${checkSummary(checked, options)}\n${checkMarkdown(checked.filter(isProblem), options)}`;
}

function resultOf(checked: readonly CheckedManifest[]): CheckOutcome | 'none' {
  return worstFirst.find((outcome) => checked.some(({ check }) => check.outcome === outcome)) ?? 'none';
}

function inputInvalid(name: string, choices: readonly string[]): CommandFailure {
  return failure(exitStatus.usage, 'input-invalid', { name, choices });
}

function writeSarif(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    const fault = { key: 'unwritable', values: { code: String(error.code) } } as const;
    throw failure(exitStatus.unseen, 'file-unwritable', { file, fault });
  }
}

/** An input of the step, as the runner passes it; empty counts as left out. */
function input(env: Environment, name: string): string | undefined {
  const value = env[`INPUT_${name.toUpperCase()}`]?.trim();
  return value === '' ? undefined : value;
}

/**
 * A value with a line break takes a delimiter that nobody can know: the rest of it would be an output of its
 * own.
 */
function outputLine(name: string, value: string): string {
  if (!/[\r\n]/u.test(value)) return `${name}=${value}\n`;
  const delimiter = `end-${randomUUID()}`;
  return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
}

/** The runner names the files; outside of a runner there are none. */
function append(file: string | undefined, text: string): void {
  if (file !== undefined && file !== '') appendFileSync(file, text);
}
