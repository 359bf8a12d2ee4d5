import type { Advice } from '../../finding.js';
import type { ClaimTrouble } from './claim-trouble.js';
import { state } from './text.js';

/** What gives the claim its volume. */
export function adviceFor({ name, claim, pod, trouble }: ClaimTrouble): readonly Advice[] {
  const { namespace } = pod.metadata;
  switch (trouble.kind) {
    case 'missing':
      if (trouble.ephemeral) {
        const { quotas } = trouble;
        return [
          quotas.length === 0
            ? { title: state('advice-ephemeral-title'), text: state('advice-ephemeral', { claim: name }) }
            : { title: state('advice-quota-title'), text: state('advice-quota', { quotas }) },
        ];
      }
      return [
        {
          title: state('advice-create-title'),
          text: state('advice-create', { claim: name }),
          snippet: claimSnippet(namespace, name),
        },
      ];
    case 'deleting':
      return [{ title: state('advice-deleting-title'), text: state('advice-deleting', { claim: name }) }];
    case 'lost':
      return [
        {
          title: state('advice-lost-title'),
          text: state('advice-lost', { claim: name, volume: trouble.volume }),
        },
      ];
    case 'named': {
      const { volume, lacks } = trouble;
      if (lacks?.length === 1 && lacks[0] === 'released') return [releaseAdvice(volume)];
      return [{ title: state('advice-volume-title'), text: state('advice-volume', { claim: name }) }];
    }
    case 'class-missing':
      return [{ title: state('advice-class-title'), text: state('advice-class', { claim: name }) }];
    case 'no-class':
      return [
        {
          title: state('advice-default-title'),
          text: state('advice-default'),
          snippet: defaultSnippet,
        },
      ];
    case 'no-volume': {
      const released = trouble.near.find(({ lacks }) => lacks.length === 1 && lacks[0] === 'released');
      return [
        ...(released === undefined ? [] : [releaseAdvice(released.volume)]),
        { title: state('advice-volume-title'), text: state('advice-volume', { claim: name }) },
      ];
    }
    case 'provisioning-failed':
    case 'silent':
      return [
        {
          title: state('advice-provisioner-title'),
          text: state('advice-provisioner', { provisioner: trouble.provisioner }),
          snippet: `kubectl -n ${namespace} describe pvc ${claim?.metadata.name ?? name}\n`,
        },
      ];
    case 'said':
      return [];
  }
}

function releaseAdvice(volume: string): Advice {
  return {
    title: state('advice-released-title', { volume }),
    text: state('advice-released', { volume }),
    snippet: `kubectl patch pv ${volume} --type json -p '[{"op": "remove", "path": "/spec/claimRef"}]'\n`,
  };
}

function claimSnippet(namespace: string, name: string): string {
  return `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: ${name}
  namespace: ${namespace}
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 10Gi
`;
}

const defaultSnippet = `# on one StorageClass
metadata:
  annotations:
    storageclass.kubernetes.io/is-default-class: "true"
`;
