import { Policy } from './core/authorization/policy.js';
import { readSettings } from './read-settings.js';
import { schemaProblems } from './schema-problems.js';
import { type SettingProblem, settingProblem } from './usecases/inspect/setting-problem.js';

/** Reads POLICY_FILE: the policy, or every problem at once. Without a file nobody may approve anything. */
export function loadPolicy(path: unknown): Policy | { readonly problems: readonly SettingProblem[] } {
  if (typeof path !== 'string') return Policy.parse({ grants: [] });
  let content: unknown;
  try {
    content = readSettings(path);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { problems: [settingProblem('POLICY_FILE', 'file-unusable', { problem })] };
  }
  const parsed = Policy.safeParse(content);
  if (parsed.success) return parsed.data;
  return { problems: schemaProblems('POLICY_FILE', Policy, content, parsed.error) };
}
