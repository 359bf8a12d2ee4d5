import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { scenarioFolders, scenariosFolder } from './scenario-folders.js';

export { scenariosFolder } from './scenario-folders.js';

/** The content of a correct diagnosis of a recorded incident; fields as in `test/scenarios/README.md`. */
export const Expectation = z.object({
  id: z.string(),
  title: z.string(),
  takenAt: z.string(),
  workload: z.object({ kind: z.string(), namespace: z.string(), name: z.string() }),
  /** What people type for it, where that is the object above the workload: `isvc/llm`. */
  asked: z.string().optional(),
  cause: z.string().nullish(),
  anyOf: z.array(z.string()).optional(),
  minConfidence: z.enum(['possible', 'likely', 'proven']).optional(),
  maxConfidence: z.enum(['possible', 'likely', 'proven']).optional(),
  detail: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  holders: z.array(z.string()).optional(),
  nodes: z.array(z.string()).optional(),
  alsoHolding: z.array(z.string()).optional(),
  never: z.array(z.string()).default([]),
  also: z.array(z.string()).default([]),
  remediation: z
    .object({
      first: z.array(z.string()).default([]),
      never: z.array(z.string()).default([]),
      maxDowntimeSeconds: z.number().optional(),
    })
    .default({ first: [], never: [] }),
  mustMention: z.array(z.string()).default([]),
  mustNotContain: z.array(z.string()).default([]),
  owner: z.object({ kind: z.string(), name: z.string() }).optional(),
  survival: z.record(z.string(), z.string()).optional(),
  informational: z.array(z.string()).optional(),
  unchecked: z.boolean().default(false),
});
export type Expectation = z.output<typeof Expectation>;

export interface Scenario {
  readonly folder: string;
  readonly expect: Expectation;
}

/** Every recorded incident and healthy control of a folder, by default the project's own, by folder name. */
export function scenarios(parent = scenariosFolder): readonly Scenario[] {
  return scenarioFolders(parent).map((name) => ({
    folder: join(parent, name),
    expect: Expectation.parse(JSON.parse(readFileSync(join(parent, name, 'expect.json'), 'utf8'))),
  }));
}
