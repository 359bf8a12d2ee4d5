import {
  implicitDeviceClass,
  isExtendedResourceName,
  isHugePagesResourceName,
} from '#src/engine/scheduler/resource-name.js';

/** True for a quota resource that pods use up (`podEvaluator.MatchingResources`). */
export function isPodResource(name: string): boolean {
  if (/^(?:pods|count\/pods|(?:(?:requests|limits)\.)?(?:cpu|memory|ephemeral-storage))$/.test(name))
    return true;
  if (isHugePagesResourceName(name)) return true;
  if (!name.startsWith('requests.')) return false;
  const asked = name.slice('requests.'.length);
  return (
    isHugePagesResourceName(asked) ||
    isExtendedResourceName(asked) ||
    implicitDeviceClass(asked) !== undefined
  );
}
