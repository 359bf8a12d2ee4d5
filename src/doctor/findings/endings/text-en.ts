import { code, type Prose, say, sentences, word } from '../../../engine/language/prose.js';
import { names } from '../../../engine/language/words.js';
import type { EndingKind } from '../../log-lines/ending-kinds.js';

type Where = { readonly container: string };

/** For each kind what to do, with its title. */
export type Advised = {
  readonly [Key in EndingKind as `${Key}-title` | `${Key}-advice`]: (where: Where) => Prose;
};

const advisedEn: Advised = {
  'service-variable-title': () => say`Turn off the variables of Services`,
  'service-variable-advice': () =>
    say`Set ${code('enableServiceLinks: false')} in the pod template, or rename the Service. Kubernetes sets variables like ${code('NAME_PORT')} for each Service, and the program reads one as its own setting.`,
  'kind-not-installed-title': () => say`Install the missing kind`,
  'kind-not-installed-advice': () =>
    say`Apply the CustomResourceDefinition of the version that the program needs, before the new revision starts. Helm does not update the definitions in a chart's ${code('crds/')} folder.`,
  'watch-limit-title': () => say`Raise the inotify limits of the node`,
  'watch-limit-advice': () =>
    say`Raise ${code('fs.inotify.max_user_instances')} and ${code('fs.inotify.max_user_watches')} on the node. All pods of the node share these limits.`,
  'file-limit-title': () => say`Raise the limit of open files`,
  'file-limit-advice': ({ container }) =>
    say`Raise the limit of open files that the container runtime gives to ${code(container)}, or find the files and connections that the program does not close. A program that watches files meets the same error at the node's limit ${code('fs.inotify.max_user_instances')}.`,
  'no-space-title': () => say`Make space on the volume`,
  'no-space-advice': ({ container }) =>
    say`Find the file system that ${code(container)} writes to with ${code('df -h')}, then delete data or enlarge it. A restart writes to the same place.`,
  'kernel-setting-title': () => say`Change the kernel setting of the node`,
  'kernel-setting-advice': () =>
    say`Set the value that the log names on every node that may run these pods, for example with a privileged init container or a DaemonSet. Where the log names a feature of the kernel, use an image of the node that has it. The container runtime sets the limit of locked memory (${code('memlock')}).`,
  'device-memory-title': () => say`Free memory of the device`,
  'device-memory-advice': ({ container }) =>
    say`Let ${code(container)} reserve less memory of the device, or stop the other processes that use the same device. A GPU that is shared does not limit the memory of each pod.`,
  'process-limit-title': () => say`Raise the limit of processes`,
  'process-limit-advice': ({ container }) =>
    say`Let ${code(container)} start fewer threads, or raise the limit of processes. The pod has one (${code('podPidsLimit')} of the kubelet), and the node has one.`,
  'changed-migration-title': () => say`Restore the migration`,
  'changed-migration-advice': () =>
    say`Restore the migration as it was applied, and add the change as a new one. If the database is right already, repair the record of applied migrations.`,
  'database-lock-title': () => say`Check the lock in the database`,
  'database-lock-advice': ({ container }) =>
    say`Find who holds the lock in the database that ${code(container)} uses. A lock in a table outlives its holder: release it with the migration tool. A session's lock ends with the session.`,
  'no-file-locks-title': () => say`Use a volume that can lock files`,
  'no-file-locks-advice': () =>
    say`The file system gives no locks. Move the data to a block volume, or enable the lock service of the network share.`,
  'held-elsewhere-title': () => say`Let only one process use the data`,
  'held-elsewhere-advice': () =>
    say`Find the process that uses the same data, and stop it before this one starts. If no process uses it, an earlier run may have left a lock file.`,
  'address-in-use-title': () => say`Free the port`,
  'address-in-use-advice': ({ container }) =>
    say`Find the process that listens on this port, and give it or ${code(container)} another one.`,
  'read-only-title': () => say`Give the program a place to write`,
  'read-only-advice': ({ container }) =>
    say`Mount an ${code('emptyDir')} volume at the path in ${code(container)}, or check ${code('readOnly')} of the mount and ${code('readOnlyRootFilesystem')} of the container.`,
  'privileged-port-title': () => say`Listen on a port of 1024 or above`,
  'privileged-port-advice': () =>
    say`Let the program listen on a higher port and keep the Service's port with ${code('targetPort')}, or add the capability ${code('NET_BIND_SERVICE')}.`,
  'api-forbidden-title': () => say`Grant the right to the service account`,
  'api-forbidden-advice': () =>
    say`Add the verb and resource that the log names to a Role or ClusterRole of the service account. A new version often needs new rights.`,
  'clock-title': () => say`Set the clock`,
  'clock-advice': ({ container }) =>
    say`Compare the clock of the node of ${code(container)} with those of the other nodes and of the issuer, and check their time service. A date in the future becomes valid when the clock reaches it.`,
  'connections-used-up-title': () => say`Free connections of the server`,
  'connections-used-up-advice': ({ container }) =>
    say`The server that ${code(container)} uses accepts no further connection. Use smaller connection pools, or raise the server's limit. During an update, old and new pods need connections at the same time.`,
  'credentials-title': () => say`Check the credentials`,
  'credentials-advice': ({ container }) =>
    say`Compare the credentials that ${code(container)} uses with those that the server expects. A container reads changed variables only when it starts.`,
  'certificate-title': () => say`Check the certificate`,
  'certificate-advice': ({ container }) =>
    say`Check the date, the name and the issuer of the certificate, and that ${code(container)} trusts this issuer.`,
  'other-cluster-title': () => say`Compare the data with the cluster`,
  'other-cluster-advice': ({ container }) =>
    say`The data that ${code(container)} found is of another cluster, or of a member that its cluster has removed. Check that it mounts its own volume and has the right addresses. Back up the volume before you delete data.`,
  'data-version-title': () => say`Use a version that can read the data`,
  'data-version-advice': () =>
    say`Run the version that wrote the data, or migrate the data as the program's upgrade guide describes. Back up the volume first.`,
  'failed-migration-title': () => say`Resolve the failed migration`,
  'failed-migration-advice': ({ container }) =>
    say`Find out why the migration failed in the database of ${code(container)}. Correct the cause, then record the migration as rolled back or applied with the migration tool. Until then no migration runs.`,
  'not-migrated-title': () => say`Run the migrations first`,
  'not-migrated-advice': ({ container }) =>
    say`Run the migrations that ${code(container)} expects before it starts, for example in a Job or an init container. Check that it uses the right database.`,
  'damaged-file-title': () => say`Restore the damaged file`,
  'damaged-file-advice': () =>
    say`Keep a copy of the volume, then repair or restore the file that the log names. A restart reads the same file again.`,
  'library-mismatch-title': () => say`Match the library or driver`,
  'library-mismatch-advice': ({ container }) =>
    say`Build the image of ${code(container)} for the libraries in it and the driver on the node, or install the version that it needs.`,
  'illegal-instruction-title': () => say`Match the image to the processor`,
  'illegal-instruction-advice': ({ container }) =>
    say`Use an image of ${code(container)} that is built for the processors of these nodes, or select nodes whose processor has what it needs.`,
  'process-memory-title': () => say`Give the program more memory`,
  'process-memory-advice': ({ container }) =>
    say`The program in ${code(container)} reached its own limit, for example the heap size. Raise that limit, and the container's memory limit with it.`,
  'call-refused-title': () => say`Allow what the program asks of the kernel`,
  'call-refused-advice': ({ container }) =>
    say`The kernel refused a call of the program. Compare capabilities, seccomp profile and ${code('privileged')} of ${code(container)} with what this version needs.`,
  'file-mode-title': () => say`Set the mode of the file`,
  'file-mode-advice': ({ container }) =>
    say`Set the mode that the log of ${code(container)} requires, for example in an init container. Where the pod sets ${code('fsGroup')}, the kubelet opens the files of a volume to this group at each mount. ${code('fsGroupChangePolicy: OnRootMismatch')} leaves them alone once the folder has the group.`,
  'shared-memory-title': () => say`Give the pod more shared memory`,
  'shared-memory-advice': ({ container }) =>
    say`Mount an ${code('emptyDir')} volume of ${code('medium: Memory')} at ${code('/dev/shm')} in ${code(container)}. Without it, container runtimes give 64 MiB by default. Its content counts towards the memory limit.`,
  'not-permitted-title': () => say`Give the program access to the file`,
  'not-permitted-advice': () =>
    say`Compare the owner and mode of the file with the user that the program runs as. For a volume, ${code('fsGroup')} sets the group of its files.`,
  'unreachable-title': () => say`Check the address`,
  'unreachable-advice': ({ container }) =>
    say`Check the host and port that ${code(container)} uses, and that the server behind them is running. Compare the settings with those of the previous revision.`,
  'setting-title': () => say`Correct the setting`,
  'setting-advice': ({ container }) =>
    say`Compare arguments, variables and configuration files of ${code(container)} with those that this version accepts.`,
  'missing-file-title': () => say`Provide the missing file`,
  'missing-file-advice': ({ container }) =>
    say`Check that the image of ${code(container)} contains the file that the log names, or that a volume is mounted at its path.`,
};

export const en = {
  ...advisedEn,
  'on-claim': ({ claim, size, path }: { claim: string; size: string | undefined; path: string }) =>
    size === undefined
      ? say`The path ${code(path)} is the volume of the claim ${code(claim)}.`
      : say`The path ${code(path)} is the volume of the claim ${code(claim)}, which requests ${code(size)}.`,
  'claim-full-advice': ({ claim, size }: { claim: string; size: string | undefined }) =>
    sentences(
      size === undefined
        ? say`Delete data on the volume, or enlarge the claim ${code(claim)}.`
        : say`Delete data on the volume, or enlarge the claim ${code(claim)} beyond ${code(size)}.`,
      say`Its StorageClass must allow expansion. New pods use the same volume.`,
    ),
  'variable-of-service': ({ service, variable }: { service: string; variable: string }) =>
    say`Kubernetes sets ${code(variable)} for the Service ${code(service)}. The program reads this variable as its own setting.`,
  'own-variable': ({ service, variable }: { service: string; variable: string }) =>
    sentences(
      say`Kubernetes sets ${code(variable)} to a URL for the Service ${code(service)}, which selects this pod.`,
      say`If the program reads this variable as its port, set ${code('enableServiceLinks: false')}.`,
    ),
  'kept-in-pod': ({ volume, path }: { volume: string; path: string }) =>
    say`The path is in the volume ${code(volume)} at ${code(path)}, an ${code('emptyDir')}. Its files outlive a restart of the container, and are deleted with the pod.`,
  'kept-in-pod-title': () => say`Delete the pod`,
  'kept-in-pod-advice': ({ path }: { path: string }) =>
    say`A new pod starts with an empty ${code(path)}. For the next time, let the program delete the file before it starts, or mount the volume deeper.`,
  'port-of-node': ({ node }: { node: string }) =>
    say`The pod uses the network of ${code(node)}, so any process on this node may listen on the port.`,
  'port-of-pod': ({ container }: { container: string }) =>
    say`The containers of a pod share its ports. Another container, or another process in ${code(container)}, listens on the port.`,
  'mounted-read-only': ({ volume, path }: { volume: string; path: string }) =>
    say`The path is in the volume ${code(volume)}, which is mounted read-only at ${code(path)}.`,
  'mounted-from-object': ({ volume, path, source }: { volume: string; path: string; source: string }) =>
    say`The path is in the volume ${code(volume)} at ${code(path)}. It is made from a ${code(source)}, and Kubernetes mounts it read-only.`,
  'copy-first-title': () => say`Let the program change a copy`,
  'copy-first-advice': ({ path }: { path: string }) =>
    say`Mount an ${code('emptyDir')} volume at ${code(path)}, and let an init container copy the files into it.`,
  'mode-of-object': ({ volume, source }: { volume: string; source: string }) =>
    say`The kubelet writes the files of ${code(volume)} from a ${code(source)}, with the mode in ${code('defaultMode')} (0644 if it is not set) and root as the owner.`,
  'mode-of-object-title': () => say`Set the mode of the files in the pod template`,
  'mode-of-object-advice': ({ container }: { container: string }) =>
    say`Set ${code('defaultMode')} of the volume to the mode that the log requires. If ${code(container)} runs as another user than root, let an init container copy the file into an ${code('emptyDir')} and give it this owner and mode.`,
  'built-in-kind': ({ version }: { version: string }) =>
    say`${code(version)} is a version of Kubernetes itself, which no CustomResourceDefinition adds. This cluster does not serve it.`,
  'built-in-kind-title': () => say`Use a version of the program for this Kubernetes`,
  'built-in-kind-advice': ({ container }: { container: string }) =>
    say`Run a version of ${code(container)} that uses a version of the API which this cluster serves. Kubernetes removes old versions of its API and adds new ones.`,
  'file-of-volume': ({ volume, path }: { volume: string; path: string }) =>
    say`The path is in the volume ${code(volume)}, mounted at ${code(path)}.`,
  'file-of-image': ({ container, path }: { container: string; path: string }) =>
    say`No volume of ${code(container)} is mounted at ${code(path)}, so the path is in the image.`,
  'image-file-title': () => say`Run the program as the user of its image`,
  'image-file-advice': ({ container }: { container: string }) =>
    say`Compare ${code('runAsUser')} of ${code(container)} with the user for which the image prepares the path, or mount an ${code('emptyDir')} volume there. ${code('fsGroup')} changes only files of volumes.`,
  'volume-without-group': ({ volume, source }: { volume: string; source: string }) =>
    say`The kubelet sets no group on this volume of ${code(source)}, so ${code('fsGroup')} has no effect on ${code(volume)}.`,
  'owner-of-folder-title': () => say`Change the owner of the folder`,
  'owner-of-folder-advice': ({ container, path }: { container: string; path: string }) =>
    say`Change the owner of the folder behind ${code(path)} to the user that ${code(container)} runs as. Do it on the node or server that has the folder, or in an init container that runs as root.`,
  'owner-by-driver-title': () => say`Let the driver set the owner of the files`,
  'owner-by-driver-advice': ({ container, driver }: { container: string; driver: string }) =>
    say`${code(driver)} writes the files for this pod. Set their owner or mode in ${code('volumeAttributes')}, where the driver has such attributes, or run ${code(container)} as the user that may read them.`,
  'secrets-read': ({ container, secrets }: { container: string; secrets: readonly string[] }) =>
    // The name comes first: behind the word, it looks like the secret itself and is redacted.
    say`${names('en', secrets)} ${word(secrets.length === 1 ? 'is the Secret' : 'are the Secrets')} from which ${code(container)} takes variables.`,
  'mounted-elsewhere': ({ claim, pods }: { claim: string; pods: readonly string[] }) =>
    say`Pods of other workloads also mount the claim ${code(claim)}: ${names('en', pods)}.`,
  'own-service': ({ service }: { service: string }) =>
    sentences(
      say`The Service ${code(service)} selects this workload's own pods.`,
      say`It has a ready endpoint only after they are ready, and they wait for it.`,
    ),
  'heap-above-limit': (values: { flag: string; from: string; container: string; limit: string }) =>
    say`${code(values.flag)} in ${code(values.from)} asks for at least as much heap as ${code(values.container)} may use: its memory limit is ${code(values.limit)}.`,
  'memory-refused-title': () => say`Let the program reserve less memory`,
  'memory-refused-advice': ({ container }: { container: string }) =>
    say`The program in ${code(container)} asked for memory and did not get it. Lower what it reserves, for example the heap size, or raise the memory limit of the container.`,
  'network-agent-title': ({ daemonSet, node }: { daemonSet: string; node: string }) =>
    say`Check ${code(daemonSet)} on ${code(node)}`,
  'network-agent-advice': ({ node }: { node: string }) =>
    say`If its pod there makes the rules of the network, pods on ${code(node)} may reach no Service and no name before it is ready. If it has another task, check the address and the server behind it.`,
  'ready-elsewhere': ({ node, others }: { node: string; others: readonly string[] }) =>
    say`No pod of this workload is ready on ${code(node)}. Pods of the same revision are ready on ${names('en', others)}.`,
  'one-node-advice': ({ container, node }: { container: string; node: string }) =>
    say`Check that the server that ${code(container)} connects to is running. If it is, check the way from ${code(node)}: a firewall, an allow list of addresses or a route may not know this node.`,
  'name-server-silent': ({ container, server }: { container: string; server: string | undefined }) =>
    server === undefined
      ? say`No name server answered ${code(container)}, so the program did not get as far as the server that it connects to.`
      : say`The name server ${code(server)} did not answer ${code(container)}, so the program did not get as far as the server that it connects to.`,
  'name-server-title': () => say`Check the name server`,
  'name-server-advice': () =>
    say`Check that the pods of the cluster's DNS are ready and answer, and that a NetworkPolicy allows this workload to reach port 53 over UDP and TCP.`,
  'one-node-names-title': ({ node }: { node: string }) =>
    say`Check the way from ${code(node)} to the name server`,
  'one-node-names-advice': ({ node }: { node: string }) =>
    say`Check on ${code(node)} what brings a pod to the name server: ${code('kube-proxy')} or the network agent, a cache of names on the node, and a firewall for port 53 over UDP and TCP.`,
  'went-read-only': ({ claim, path }: { claim: string; path: string }) =>
    say`The pod template mounts the claim ${code(claim)} at ${code(path)} for writing.`,
  'went-read-only-title': () => say`Check the file system of the volume`,
  'went-read-only-advice': ({ node }: { node: string }) =>
    say`After errors of a disk, the kernel makes its file system read-only. Look for such errors in the kernel log of ${code(node)} and at the storage provider. Once the disk is healthy, delete the pod, so that the kubelet mounts the volume again.`,
  'or-root-read-only': () =>
    say`If the path is in no volume, check ${code('readOnlyRootFilesystem')} of the container.`,
  'lacks-containers': ({ pod, containers }: { pod: string; containers: readonly string[] }) =>
    say`All ready pods of this revision have ${word(containers.length === 1 ? 'the container' : 'the containers')} ${names('en', containers)}, which ${code(pod)} lacks. The pod template is the same, so something adds this while a pod is created.`,
  'lacks-containers-advice': ({ container }: { container: string }) =>
    say`The program in ${code(container)} connects to its own pod, where nothing listens. A new pod gets what is added, if the webhook that adds it answers.`,
  'runs-elsewhere': ({ node, others }: { node: string; others: readonly string[] }) =>
    say`The same image runs on ${names('en', others)}, of the same architecture as ${code(node)}.`,
  'image-copy-title': ({ node }: { node: string }) => say`Pull the image again on ${code(node)}`,
  'image-copy-advice': () =>
    say`The node's own copy of the image is probably damaged. Remove the copy there (${code('crictl rmi')}), then delete the pod, so that the kubelet pulls the image again.`,
  'node-facts': ({ node, architecture, kernel }: { node: string; architecture: string; kernel: string }) =>
    say`${code(node)} has the architecture ${code(architecture)} and the kernel ${code(kernel)}.`,
};
