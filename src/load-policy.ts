import { Policy } from './core/authorization/policy.js';
import { readSettings, type SettingProblem, settingProblems } from './read-settings.js';

/** Reads POLICY_FILE: the policy, or every problem at once. Without a file nobody may approve anything. */
export function loadPolicy(path: unknown): Policy | { readonly problems: readonly SettingProblem[] } {
  if (typeof path !== 'string') return Policy.parse({ grants: [] });
  let content: unknown;
  try {
    content = readSettings(path);
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    return { problems: [{ where: 'POLICY_FILE', expected: 'a readable YAML file', found }] };
  }
  const parsed = Policy.safeParse(content);
  if (parsed.success) return parsed.data;
  return { problems: settingProblems('POLICY_FILE', parsed.error) };
}
