import { createPrivateKey } from 'node:crypto';
import { allowedRepositories, GitSettings, type KeyFrom } from '../doctor/git-edits/git-settings.js';
import { readNamedFile, readSettings } from '../edges/files/read-settings.js';
import { type SettingProblem, settingProblem } from '../service/inspect/setting-problem.js';
import type { Environment } from './config-variable.js';
import { schemaProblems } from './schema-problems.js';

/** What is configured about Git. The key is kept apart from the settings, which may be shown. */
export interface GitConfig {
  readonly settings: GitSettings;
  /** PEM; only in a process that opens pull requests. */
  readonly privateKey: string | undefined;
  /** Of GitLab; only in a process that opens merge requests. */
  readonly token?: string | undefined;
}

/**
 * Reads GIT_FILE and, where it is needed, the key that it points to. Without a file no pull request is
 * offered.
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
  const { sources, github, gitlab, repositories } = parsed.data;
  const allowed = allowedRepositories(parsed.data);
  const problems = sources.flatMap(({ repository }, at) =>
    allowed.includes(repository)
      ? []
      : [
          settingProblem(`GIT_FILE sources[${at}].repository`, 'wrong', {
            expected: { en: 'one of the `repositories`', ko: '`repositories`에 있는 저장소' },
            found: repository,
          }),
        ],
  );
  if ((github === undefined) !== (repositories.length === 0)) {
    const expected = { en: 'both `github` and `repositories`', ko: '`github`과 `repositories` 모두' };
    problems.push(settingProblem('GIT_FILE repositories', 'missing', { expected }));
  }
  if (github === undefined && gitlab === undefined) {
    const expected = { en: '`github` or `gitlab`', ko: '`github` 또는 `gitlab`' };
    problems.push(settingProblem('GIT_FILE github', 'missing', { expected }));
  }
  const twice = allowed.find((each, at) => allowed.indexOf(each) < at);
  if (twice !== undefined) {
    const expected = { en: 'each repository once', ko: '저장소마다 한 번만' };
    problems.push(settingProblem('GIT_FILE repositories', 'wrong', { expected, found: twice }));
  }
  const token = needsKey && gitlab !== undefined ? textFrom(gitlab.token, env) : undefined;
  if (needsKey && gitlab !== undefined && token === undefined) {
    const place = 'env' in gitlab.token ? gitlab.token.env : gitlab.token.file;
    const expected = {
      en: `the access token of GitLab in \`${place}\``,
      ko: `\`${place}\`에 있는 GitLab 액세스 토큰`,
    };
    problems.push(settingProblem('GIT_FILE gitlab.token', 'missing', { expected }));
  }
  const privateKey = needsKey && github !== undefined ? keyFrom(github.privateKey, env) : undefined;
  if (needsKey && github !== undefined && privateKey === undefined) {
    const place = 'env' in github.privateKey ? github.privateKey.env : github.privateKey.file;
    const expected = {
      en: `the private key of the GitHub App, in PEM, in \`${place}\``,
      ko: `\`${place}\`에 있는 PEM 형식의 GitHub App 비공개 키`,
    };
    problems.push(settingProblem('GIT_FILE github.privateKey', 'missing', { expected }));
  }
  return problems.length > 0 ? { problems } : { git: { settings: parsed.data, privateKey, token } };
}

/** What the variable or the file holds; `undefined` where there is nothing. */
function textFrom(from: KeyFrom, env: Environment): string | undefined {
  try {
    const text = 'env' in from ? env[from.env] : readNamedFile(from.file).toString('utf8');
    return text?.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** A key in PEM; several lines of a variable may be written with `\n`. */
function keyFrom(from: KeyFrom, env: Environment): string | undefined {
  try {
    return createPrivateKey((textFrom(from, env) ?? '').replaceAll('\\n', '\n'))
      .export({ type: 'pkcs8', format: 'pem' })
      .toString();
  } catch {
    return undefined;
  }
}
