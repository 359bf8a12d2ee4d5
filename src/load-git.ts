import { createPrivateKey } from 'node:crypto';
import { GitSettings, type KeyFrom } from './core/git-change/git-settings.js';
import type { Environment } from './environment.js';
import { readNamedFile, readSettings } from './read-settings.js';
import { schemaProblems } from './schema-problems.js';
import { type SettingProblem, settingProblem } from './usecases/inspect/setting-problem.js';

/** What is configured about Git. The key is kept apart from the settings, which may be shown. */
export interface GitConfig {
  readonly settings: GitSettings;
  /** PEM; only in a process that opens pull requests. */
  readonly privateKey: string | undefined;
}

/**
 * Reads GIT_FILE and, where it is needed, the key that it points to. Without a file no pull request is offered.
 *
 * @param needsKey whether this process opens pull requests
 * @returns the settings, or every problem at once; the key is never part of a problem
 */
export function loadGit(
  path: unknown,
  env: Environment,
  needsKey: boolean,
): { readonly git: GitConfig | undefined } | { readonly problems: readonly SettingProblem[] } {
  if (typeof path !== 'string') return { git: undefined };
  let content: unknown;
  try {
    content = readSettings(path) ?? {};
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { problems: [settingProblem('GIT_FILE', 'file-unusable', { problem })] };
  }
  const parsed = GitSettings.safeParse(content);
  if (!parsed.success) return { problems: schemaProblems('GIT_FILE', GitSettings, content, parsed.error) };
  const { repositories, sources, github } = parsed.data;
  const problems = sources.flatMap(({ repository }, at) =>
    repositories.includes(repository)
      ? []
      : [
          settingProblem(`GIT_FILE sources[${at}].repository`, 'wrong', {
            expected: { en: 'one of `repositories`', ko: '`repositories`에 있는 저장소' },
            found: repository,
          }),
        ],
  );
  const privateKey = needsKey ? keyFrom(github.privateKey, env) : undefined;
  if (needsKey && privateKey === undefined) {
    const place = 'env' in github.privateKey ? github.privateKey.env : github.privateKey.file;
    const expected = {
      en: `the private key of the GitHub App, in PEM, in \`${place}\``,
      ko: `\`${place}\`에 있는 PEM 형식의 GitHub App 비공개 키`,
    };
    problems.push(settingProblem('GIT_FILE github.privateKey', 'missing', { expected }));
  }
  return problems.length > 0 ? { problems } : { git: { settings: parsed.data, privateKey } };
}

/** A key in PEM; several lines of a variable may be written with `\n`. */
function keyFrom(from: KeyFrom, env: Environment): string | undefined {
  try {
    const text = 'env' in from ? (env[from.env] ?? '') : readNamedFile(from.file).toString('utf8');
    return createPrivateKey(text.replaceAll('\\n', '\n')).export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch {
    return undefined;
  }
}
