import { readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import { Policy } from './core/authorization/policy.js';

interface Problem {
  readonly where: string;
  readonly expected: string;
  readonly found?: string;
}

/** Reads POLICY_FILE: the policy, or every problem at once. Without a file nobody may approve anything. */
export function loadPolicy(path: unknown): Policy | { readonly problems: readonly Problem[] } {
  if (typeof path !== 'string') return { apiVersion: 'rollout-doctor/v1', grants: [], demands: [] };
  let content: unknown;
  try {
    content = parseYaml(readFileSync(path, 'utf8'));
  } catch (error) {
    const found = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { problems: [{ where: 'POLICY_FILE', expected: 'a readable YAML file', found }] };
  }
  const parsed = Policy.safeParse(content);
  if (parsed.success) return parsed.data;
  return {
    problems: parsed.error.issues.map(({ path: steps, message }) => ({
      where: `POLICY_FILE ${steps.join('.')}`.trim(),
      expected: message,
    })),
  };
}
