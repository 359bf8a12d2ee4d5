import type { MessageReasonId } from './scheduler-message.js';

/** What NodeResourcesFit says before a resource's name (`fit.go: fitsRequest`). */
export const insufficient = 'Insufficient ';

const own: Readonly<Record<string, MessageReasonId>> = {
  cpu: 'cpu',
  memory: 'memory',
  'ephemeral-storage': 'ephemeral-storage',
  pods: 'pods',
};

/**
 * @param name what follows `Insufficient`; `cut` when the sentence may end within it
 * @returns undefined for what is no resource name (other schedulers say `Insufficient reservations left`)
 */
export function resourceReason(name: string, cut: boolean): MessageReasonId | undefined {
  if (Object.hasOwn(own, name)) return own[name];
  if (!/^[a-z0-9][A-Za-z0-9._/-]*$/.test(name)) return undefined;
  if (name.startsWith('attachable-volumes-')) return 'max-volumes';
  if (!cut) return 'extended-resource';
  return name.includes('/') || name.startsWith('hugepages-') ? 'extended-resource' : undefined;
}
