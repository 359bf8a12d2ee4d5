import type { MessageReasonId } from './scheduler-message.js';

/** What NodeResourcesFit says before a resource's name (`fit.go: fitsRequest`). */
export const insufficient = 'Insufficient ';

const own: Readonly<Record<string, MessageReasonId>> = {
  cpu: 'cpu',
  memory: 'memory',
  'ephemeral-storage': 'ephemeral-storage',
  pods: 'pods',
};

/** Letters that tell the beginning of a name of the scheduler's own from another name. */
const FEWEST_LETTERS = 2;

/** Devices' resources whose beginning cannot be a name of its own. */
const devices = ['nvidia.com/gpu', 'amd.com/gpu', 'hugepages-2Mi', 'hugepages-1Gi'];

/**
 * @param name what follows `Insufficient`; `cut` when the sentence may end within it
 * @returns undefined for what is no resource name (other schedulers say `Insufficient reservations left`)
 */
export function resourceReason(name: string, cut: boolean): MessageReasonId | undefined {
  if (Object.hasOwn(own, name)) return own[name];
  if (name.length > 400 || !/^[a-z0-9][A-Za-z0-9._/-]*$/.test(name)) return undefined;
  if (name.startsWith('attachable-volumes-')) return 'max-volumes';
  if (!cut) return 'extended-resource';
  const begun = ownBegunBy(name);
  if (begun !== undefined) return begun;
  return /[/.]/.test(name) || name.startsWith('hugepages-') ? 'extended-resource' : undefined;
}

/** Whether what follows `Insufficient` can only be the beginning of a name. */
export function beginsResource(name: string): boolean {
  if (name === '' || Object.hasOwn(own, name)) return name === '';
  if (ownBegunBy(name) !== undefined || /^[a-z0-9-]{1,63}\.[a-z0-9.-]{0,253}$/.test(name)) return true;
  return /^[a-z0-9.-]{1,253}\/$/.test(name) || devices.some((each) => each !== name && begins(each, name));
}

function ownBegunBy(name: string): MessageReasonId | undefined {
  if (name.length < FEWEST_LETTERS) return undefined;
  const found = Object.keys(own).find((each) => each.startsWith(name));
  return found === undefined ? undefined : own[found];
}

function begins(whole: string, name: string): boolean {
  return name.length > FEWEST_LETTERS && whole.startsWith(name);
}
