import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { JsonObject } from '../../engine/objects/wire.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { canonicalJson, type Plan } from './plan.js';
import { withoutHash } from './template-changes.js';
import { templateFrom } from './template-source.js';

/**
 * A pod template as one canonical text, as a workload would hold it. May hold secrets: only its seal is
 * stored.
 */
export function templateText(template: JsonObject): string {
  return canonicalJson(withoutHash(template));
}

/**
 * The text of the template that the plan restores; `undefined` where it restores none, or the revision is
 * gone.
 */
export function restoredTemplate({ request }: Plan, snapshot: Snapshot): string | undefined {
  if (request.verb !== 'restore-template') return undefined;
  const template = templateFrom(rolloutStateOf(snapshot), request.from);
  return template && templateText(template.raw);
}
