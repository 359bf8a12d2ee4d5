import { Policy } from '../doctor/policy/policy.js';
import { readSettings } from '../edges/files/read-settings.js';
import { type SettingProblem, settingProblem } from '../service/inspect/setting-problem.js';
import { schemaProblems } from './schema-problems.js';

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
