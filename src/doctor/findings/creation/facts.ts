import * as z from 'zod';
import { type FailedCreation, failingForSeconds } from '../../../engine/creation/failed-creation.js';
import type { Exceeded } from '../../../engine/creation/quota-block.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { fact } from '../facts.js';

/** Facts of every cause about objects that the API server refuses to create. */
export const creationFacts = {
  creator: z
    .strictObject({ kind: fact.text('Its kind'), name: fact.text('Its name') })
    .describe('The controller that is refused'),
  what: fact.oneOf(['pod', 'claim', 'replica-set'], 'What it cannot create'),
  missing: fact.count('Pods that it wants and that do not exist'),
  failingSeconds: fact.seconds('Time since the first refusal').optional(),
  message: fact.text('The message of the API server'),
} as const;

export function creationFactsOf(snapshot: Snapshot, failed: FailedCreation) {
  const { owner, what, missing, message } = failed;
  const creator = { kind: owner.kind, name: owner.name };
  return { creator, what, missing, failingSeconds: failingForSeconds(snapshot, failed), message };
}

/** What quotas have too little of. */
export const exceededFact = z
  .array(
    z.strictObject({
      quota: fact.text('Name of the ResourceQuota'),
      resource: fact.text('Name of the resource, as the quota spells it'),
      requested: fact.quantity('What the object requests'),
      used: fact.quantity('What is charged'),
      limited: fact.quantity('What the quota allows'),
    }),
  )
  .describe('What the quotas of the namespace have too little of, the one that is reported first');

export function exceededFactsOf(exceeded: readonly Exceeded[]) {
  return exceeded.flatMap(({ quota, resources }) =>
    resources.map(({ resource, requested, used, limited }) => ({
      quota,
      resource,
      requested,
      used,
      limited,
    })),
  );
}
