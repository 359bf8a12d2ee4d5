import type { Volume } from '../../../engine/objects/pod-spec.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import type { FailureGroup } from '../../findings/crashes/failure-group.js';
import type { Advice } from '../../findings/finding.js';
import type { MissingCustomObject, MountWords } from './message-words.js';
import { state } from './text.js';

/** The provider attaches no further volume to the machine, in the words of several drivers. */
export const slotsUsedUp =
  /\b(?:maximum|max|limit)\b.{0,40}\b(?:disks?|volumes?|attachments?)\b|\b(?:attach(?:ment|ed)?|disks?|volumes?)\b.{0,24}\b(?:limit|maximum)\b.{0,24}\b(?:exceeded|reached)|\btoo many (?:attached )?(?:disks|volumes|attachments)\b/i;

/** The server of a share refuses the node: NFS, SMB (error 13), and answers of object and file services. */
const refusedByServer =
  /\baccess denied by server\b|\bmount error\(13\)|\bNT_STATUS_(?:ACCESS_DENIED|LOGON_FAILURE)\b|\bstatus ?code[=: ]{1,3}40[13]\b|\b(?:AuthorizationFailed|AccessDenied|AuthenticationFailed)\b/i;

/** For pods of one claim with different SELinux labels. */
export const relabelAdvice: readonly Advice[] = [
  { title: state('advice-label-title'), text: state('advice-label') },
  {
    title: state('advice-relabel-title'),
    text: state('advice-relabel'),
    snippet:
      'spec:\n  template:\n    spec:\n      securityContext:\n        seLinuxChangePolicy: Recursive\n',
  },
];

/** A driver that no node has registered is not installed, or has another name than the volume. */
export function driverAdvice({ index }: Snapshot, driver: string, nodes: readonly string[]): Advice {
  const { CSIDriver, CSINode } = index.objects;
  const isKnown = CSIDriver.some(({ metadata }) => metadata.name === driver);
  const isRead = CSINode.length > 1 && CSINode.length >= index.nodes.size;
  if (!isKnown && isRead && CSINode.every(({ spec }) => spec.drivers.every(({ name }) => name !== driver))) {
    return {
      title: state('advice-no-driver-title', { driver }),
      text: state('advice-no-driver'),
      snippet: 'kubectl get csidrivers,csinodes\n',
    };
  }
  return {
    title: state('advice-driver-title', { driver }),
    text: state('advice-driver', { nodes }),
    snippet: nodes.map((node) => `kubectl get pods -A --field-selector spec.nodeName=${node}\n`).join(''),
  };
}

/** What the message and the objects show of the refusal. */
interface Refused {
  readonly isPlaceRefused: boolean;
  /** The controller of the driver attaches the volume. */
  readonly isByController: boolean;
  /** The volume is used as a device, and the node has none there. */
  readonly isNoDevice: boolean;
  /** ServiceAccount of which a token is asked for and that does not exist. */
  readonly account: string | undefined;
  readonly errors: string;
  readonly words: MountWords;
  /** The strategy that stops old pods first, where own pods on the node have the volume. */
  readonly oldPodFirst: string | undefined;
}

function creationOf({ kind, group, name }: MissingCustomObject, namespace: string): Advice {
  return {
    title: state('advice-object-title', { kind, name }),
    text: state('advice-object', { kind }),
    snippet: `kubectl -n ${namespace} get ${kind}.${group}\n`,
  };
}

export function adviceOf(
  { podFailures: [{ pod }], nodes }: FailureGroup,
  named: string | undefined,
  { isPlaceRefused, isByController, isNoDevice, account, errors, words, oldPodFirst }: Refused,
): Advice {
  const volume = pod.spec.volumes.find(({ name }) => name === named);
  if (account !== undefined) {
    return {
      title: state('advice-account-title', { account }),
      text: state('advice-account'),
      snippet: `kubectl -n ${pod.metadata.namespace} create serviceaccount ${account}\n`,
    };
  }
  if (words.object !== undefined) return creationOf(words.object, pod.metadata.namespace);
  if (isNoDevice) return { title: state('advice-device-title'), text: state('advice-device', { nodes }) };
  if (volume?.hostPath !== undefined && !isPlaceRefused) {
    const { path } = volume.hostPath;
    return { title: state('advice-node-path-title', { path }), text: state('advice-node-path', { nodes }) };
  }
  if (isPlaceRefused) return { title: state('advice-place-title'), text: state('advice-place') };
  if (isByController) {
    return slotsUsedUp.test(errors)
      ? {
          title: state('advice-slots-title', { nodes }),
          text: state('advice-slots'),
          snippet: nodes.map((node) => `kubectl get csinode ${node} -o yaml\n`).join(''),
        }
      : {
          title: state('advice-controller-title'),
          text: state('advice-controller', { nodes }),
          snippet: 'kubectl get volumeattachments\n',
        };
  }
  if (oldPodFirst !== undefined) {
    return {
      title: state('advice-beside-title'),
      text: state('advice-beside', { nodes }),
      snippet: oldPodFirst,
    };
  }
  if (words.isStale)
    return { title: state('advice-stale-title', { nodes }), text: state('advice-stale', { nodes }) };
  if (words.provider !== undefined) {
    return {
      title: state('advice-provider-title', { provider: words.provider }),
      text: state('advice-provider', { nodes }),
      snippet: nodes.map((node) => `kubectl get pods -A --field-selector spec.nodeName=${node}\n`).join(''),
    };
  }
  if (refusedByServer.test(errors)) {
    return { title: state('advice-server-title'), text: state('advice-server', { nodes }) };
  }
  return volume !== undefined && isOfKubelet(volume)
    ? { title: state('advice-kubelet-title'), text: state('advice-kubelet', { nodes }) }
    : { title: state('advice-node-title'), text: state('advice-node', { nodes }) };
}

/** Whether the kubelet makes the volume without a driver. */
function isOfKubelet({ emptyDir, configMap, secret, projected }: Volume): boolean {
  return [emptyDir, configMap, secret, projected].some((source) => source !== undefined);
}
