/** A sentence of another program that a rule reads, because no field says the same. */
interface OutsideWording {
  readonly writer: string;
  /** Releases that were seen to write it, or whose source does. */
  readonly versions: string;
  readonly example: string;
}

/**
 * The wordings on which rules depend. Their tests read this list, so a release with other words gets a line
 * here first. Each example is a sentence as the program wrote it.
 */
export const outsideWordings = {
  'volume-held-elsewhere': [
    {
      writer: 'kube-controller-manager, attachdetach/reconciler.go: reportMultiAttachError',
      versions: 'until 1.36',
      example: 'Multi-Attach error for volume "pv-data" Volume is already used by pod(s) web-1',
    },
    {
      writer: 'kube-controller-manager, attachdetach/reconciler.go: reportMultiAttachError',
      versions: 'since 1.37',
      example: 'Waiting for detach for volume "pv-data" Volume is already used by pod(s) web-1',
    },
  ],
  'probe-kill': [
    {
      writer: 'kubelet, kuberuntime_manager.go: computePodActions',
      versions: 'seen in 1.36.3',
      example: 'Container app failed liveness probe, will be restarted',
    },
    {
      writer: 'kubelet, kuberuntime_manager.go: computePodActions',
      versions: 'seen in 1.36.3',
      example: 'Container app failed startup probe, will be restarted',
    },
    {
      writer: 'kubelet, kuberuntime_container.go: computeInitContainerActions',
      versions: 'since 1.28',
      example: 'Init container proxy failed liveness probe',
    },
  ],
  'limit-too-low': [
    {
      writer: 'runc',
      versions: '1.1.5 under containerd 1.6.20',
      example:
        'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: container init was OOM-killed (memory limit too low?): unknown',
    },
    {
      writer: 'runc',
      versions: '1.1.5 under containerd 2.4.2',
      example:
        'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: container init was OOM-killed (memory limit too low?)',
    },
    {
      writer: 'crun, src/libcrun/container.c',
      versions: '0.19 and later',
      example:
        'failed to create containerd task: failed to create shim task: OCI runtime create failed: crun: OOM: the memory limit could be too low: read from the init process: unknown',
    },
    {
      writer: 'runc, libcontainer/cgroups/fs/memory.go: setMemory, on cgroup v1',
      versions: 'since 1.0-rc94',
      example:
        'failed to create containerd task: failed to create shim: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error setting cgroup config for procHooks process: unable to set memory limit to 20971520 (current usage: 21401600, peak usage: 21536768): unknown',
    },
    {
      writer: 'CRI-O, internal/config/cgmgr: VerifyMemoryIsEnough, for a pod',
      versions: 'since 1.14',
      example:
        'rpc error: code = Unknown desc = pod set memory limit 5242880 too low; should be at least 12582912',
    },
    {
      writer: 'CRI-O, internal/config/cgmgr: VerifyMemoryIsEnough, for a container',
      versions: 'since 1.14',
      example: 'set memory limit 4194304 too low; should be at least 12582912',
    },
    {
      writer: 'Docker Engine, daemon/daemon_unix.go: verifyPlatformContainerResources, under cri-dockerd',
      versions: '20.10 and later (6MB; before, 4MB)',
      example:
        'failed to start container "app": Error response from daemon: Minimum memory limit allowed is 6MB',
    },
  ],
  'init-pipe-ended': [
    {
      writer: 'runc',
      versions: '1.1 and later',
      example:
        'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: read init-p: connection reset by peer: unknown',
    },
    {
      writer: 'runc',
      versions: '1.0',
      example:
        "OCI runtime create failed: container_linux.go:380: starting container process caused: process_linux.go:352: getting the final child's pid from pipe caused: EOF: unknown",
    },
    {
      writer: 'runc',
      versions: '1.0',
      example:
        'OCI runtime create failed: container_linux.go:367: starting container process caused: process_linux.go:348: copying bootstrap data to pipe caused: write init-p: broken pipe: unknown',
    },
    {
      writer: 'runc, start.go, under Docker',
      versions: '19.03',
      example: 'OCI runtime start failed: cannot start a container that has stopped: unknown',
    },
  ],
  'command-refused': [
    {
      writer: 'runc',
      versions: '1.1.5 under containerd 1.6.20',
      example:
        'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "/bin/nope": stat /bin/nope: no such file or directory: unknown',
    },
    {
      writer: 'runc',
      versions: '1.1.5 under containerd 2.4.2',
      example:
        'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "nope": executable file not found in $PATH',
    },
  ],
  'working-directory-refused': [
    {
      writer: 'runc',
      versions: '1.1.5',
      example:
        'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: mkdir /etc/passwd: not a directory: unknown',
    },
    {
      writer: 'runc, libcontainer/init_linux.go: finalizeNamespace',
      versions: 'since 1.0',
      example:
        'OCI runtime create failed: runc create failed: unable to start container process: error during container init: chdir to cwd ("/etc/passwd") set in config.json failed: not a directory: unknown',
    },
  ],
  'own-storage-limit': [
    {
      writer: 'kubelet, eviction/helpers.go: podEphemeralStorageMessageFmt',
      versions: 'seen in 1.36.3',
      example: 'Pod ephemeral local storage usage exceeds the total limit of containers 20Mi. ',
    },
    {
      writer: 'kubelet, eviction/eviction_manager.go: emptyDirMessageFmt',
      versions: 'seen in 1.36.3',
      example: 'Usage of EmptyDir volume "d" exceeds the limit "20Mi". ',
    },
    {
      writer: 'kubelet, eviction/eviction_manager.go: containerEphemeralStorageMessageFmt',
      versions: 'seen in 1.36.3',
      example: 'Container app exceeded its local ephemeral storage limit "20Mi". ',
    },
  ],
  'mount-refused': [
    {
      writer: 'runc, libcontainer/rootfs_linux.go',
      versions: 'before 1.1',
      example:
        'failed to create shim task: OCI runtime create failed: container_linux.go:380: starting container process caused: process_linux.go:545: container init caused: rootfs_linux.go:75: mounting "/var/lib/kubelet/pods/31539de4/volumes/kubernetes.io~projected/token" to rootfs at "/var/run/secrets" caused: mkdir /run/rootfs/run/secrets: read-only file system: unknown',
    },
    {
      writer: 'runc, libcontainer/rootfs_linux.go',
      versions: '1.1.5 under containerd 1.6.20',
      example:
        'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error mounting "/var/lib/kubelet/pods/31539de4/volumes/kubernetes.io~empty-dir/data" to rootfs at "/etc/passwd": mount /var/lib/kubelet/pods/31539de4/volumes/kubernetes.io~empty-dir/data:/etc/passwd (via /proc/self/fd/6), flags: 0x5000: not a directory: unknown',
    },
    {
      writer: 'kubelet, kubelet_pods.go: makeMounts',
      versions: 'seen in 1.36.3',
      example: 'failed to prepare subPath for volumeMount "data" of container "app"',
    },
  ],
  'other-content': [
    {
      writer: 'containerd, content/local/writer.go',
      versions: '1.6.20',
      example:
        'rpc error: code = FailedPrecondition desc = failed to pull and unpack image "registry.example/app:1": failed commit on ref "config-sha256:2d086832": unexpected commit digest sha256:5cdcd733, expected sha256:2d086832: failed precondition',
    },
  ],
} as const satisfies Readonly<Record<string, readonly OutsideWording[]>>;

export type OutsideWordingId = keyof typeof outsideWordings;
