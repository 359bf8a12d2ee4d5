import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRecording } from '#src/edges/recordings/read-recording.js';
import { collapses } from '#support/collapsed-spaces.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'collapsed-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function read(text: string) {
  writeFileSync(join(folder, 'a.txt'), text);
  const { objects, malformed, skipped } = await readRecording(folder, { at: '2026-07-01T12:00:00.000Z' });
  expect([malformed, skipped]).toEqual([[], []]);
  return objects;
}

const pod = `Name:             web-5d8f-abcde
Namespace:        shop
Priority:         0
Service Account:  default
Node:             node-a/10.0.0.1
Start Time:       Wed, 01 Jul 2026 11:00:00 +0000
Labels:           app=web
                  pod-template-hash=5d8f
Annotations:      note: a
Status:           Running
IP:               10.1.0.1
IPs:
  IP:           10.1.0.1
Controlled By:  ReplicaSet/web-5d8f
Init Containers:
  migrate:
    Container ID:   containerd://0
    Image:          web:1
    State:          Terminated
      Reason:       Completed
      Exit Code:    0
    Ready:          True
    Restart Count:  0
    Environment:    <none>
    Mounts:         <none>
Containers:
  app:
    Container ID:   containerd://1
    Image:          web:1
    Port:           <none>
    Host Port:      <none>
    Command:
      /bin/sh
      -c
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    3
      Started:      Wed, 01 Jul 2026 11:58:00 +0000
      Finished:     Wed, 01 Jul 2026 11:59:00 +0000
    Ready:          False
    Restart Count:  7
    Limits:
      memory:  1Gi
    Requests:
      cpu:        100m
      memory:     1Gi
    Environment:
      URL:   http://a
      MODE:
    Mounts:
      /etc/web from config (ro)
  sidecar:
    Container ID:   containerd://2
    Image:          side:1
    State:          Running
      Started:      Wed, 01 Jul 2026 11:00:00 +0000
    Ready:          True
    Restart Count:  0
Conditions:
  Type              Status
  Initialized       True 
  Ready             False 
Volumes:
  config:
    Type:      ConfigMap (a volume populated by a ConfigMap)
    Name:      web-config
    Optional:  false
  data:
    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)
    ClaimName:  data-0
    ReadOnly:   false
QoS Class:       Burstable
Node-Selectors:  <none>
Tolerations:     node.kubernetes.io/not-ready:NoExecute op=Exists for 300s
                 node.kubernetes.io/unreachable:NoExecute op=Exists for 300s
Events:
  Type     Reason   Age                 From     Message
  ----     ------   ----                ----     -------
  Warning  BackOff  10s (x14 over 30m)  kubelet  Back-off restarting failed container app
  Normal   Pulled   5m                  kubelet  Container image "web:1" already present on machine
`;

const workload = `Name:                   web
Namespace:              shop
CreationTimestamp:      Wed, 01 Jul 2026 10:00:00 +0000
Labels:                 app=web
Annotations:            deployment.kubernetes.io/revision: 2
Selector:               app=web
Replicas:               3 desired | 1 updated | 4 total | 3 available | 1 unavailable
StrategyType:           RollingUpdate
MinReadySeconds:        0
RollingUpdateStrategy:  25% max unavailable, 25% max surge
Pod Template:
  Labels:  app=web
           tier=front
  Containers:
   app:
    Image:      web:1
    Port:       <none>
    Host Port:  <none>
    Requests:
      cpu:        100m
    Environment:  <none>
    Mounts:
      /etc/web from config (ro)
  Volumes:
   config:
    Type:          ConfigMap (a volume populated by a ConfigMap)
    Name:          web-config
    Optional:      false
  Node-Selectors:  pool=a
  Tolerations:     <none>
Conditions:
  Type           Status  Reason
  ----           ------  ------
  Available      True    MinimumReplicasAvailable
  Progressing    False   ProgressDeadlineExceeded
OldReplicaSets:  web-1111 (3/3 replicas created)
NewReplicaSet:   web-5d8f (1/1 replicas created)
Events:          <none>
`;

const node = `Name:               node-a
Roles:              <none>
Labels:             kubernetes.io/hostname=node-a
Annotations:        node.alpha.kubernetes.io/ttl: 0
CreationTimestamp:  Wed, 01 Jul 2026 10:00:00 +0000
Taints:             <none>
Unschedulable:      false
Lease:
  HolderIdentity:  node-a
  AcquireTime:     <unset>
  RenewTime:       Wed, 01 Jul 2026 11:59:50 +0000
Conditions:
  Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason                       Message
  ----             ------  -----------------                 ------------------                ------                       -------
  MemoryPressure   False   Wed, 01 Jul 2026 11:58:00 +0000   Wed, 01 Jul 2026 10:00:00 +0000   KubeletHasSufficientMemory   kubelet has sufficient memory available
  Ready            True    Wed, 01 Jul 2026 11:58:00 +0000   Wed, 01 Jul 2026 10:00:00 +0000   KubeletReady                 kubelet is posting ready status
Addresses:
  InternalIP:  10.0.0.1
  Hostname:    node-a
Capacity:
  cpu:     4
  memory:  16Gi
  pods:    110
Allocatable:
  cpu:     4
  memory:  16Gi
  pods:    110
System Info:
  Kernel Version:             6.8.0
  Operating System:           linux
  Architecture:               amd64
  Container Runtime Version:  containerd://2.1.4
  Kubelet Version:            v1.36.3
Non-terminated Pods:          (1 in total)
  Namespace                   Name                CPU Requests  CPU Limits  Memory Requests  Memory Limits  Age
  ---------                   ----                ------------  ----------  ---------------  -------------  ---
  shop                        other               250m (6%)     0 (0%)      1Gi (6%)         0 (0%)         3h12m
Allocated resources:
  (Total limits may be over 100 percent, i.e., overcommitted.)
  Resource           Requests     Limits
  --------           --------     ------
  cpu                250m (6%)    0 (0%)
  memory             1Gi (6%)     0 (0%)
Events:              <none>
`;

const claims = `Name:               db
Namespace:          shop
CreationTimestamp:  Wed, 01 Jul 2026 10:00:00 +0000
Selector:           app=db
Labels:             <none>
Annotations:        <none>
Replicas:           1 desired | 1 total
Update Strategy:    RollingUpdate
  Partition:        0
Pods Status:        1 Running / 0 Waiting / 0 Succeeded / 0 Failed
Pod Template:
  Labels:  app=db
  Containers:
   db:
    Image:        db:1
    Environment:  <none>
    Mounts:       <none>
  Volumes:        <none>
Volume Claims:
  Name:          data
  StorageClass:  fast
  Labels:        <none>
  Annotations:   <none>
  Capacity:      10Gi
  Access Modes:  [ReadWriteOnce]
Events:          <none>
`;

const quota = `Name:            team
Namespace:       shop
Resource         Used  Hard
--------         ----  ----
pods             3     20
requests.memory  3Gi   3Gi
`;

const events = `LAST SEEN   TYPE      REASON             OBJECT                 MESSAGE
5m          Normal    Scheduled          pod/web-5d8f-abcde     Successfully assigned shop/web-5d8f-abcde to node-a
10s         Warning   FailedScheduling   pod/web-5d8f-fghij     0/1 nodes are available: 1 Insufficient cpu.
`;

const wideEvents = `NAMESPACE   LAST SEEN   TYPE      REASON             OBJECT               SUBOBJECT              SOURCE              MESSAGE                                FIRST SEEN   COUNT   NAME
shop        5m          Warning   BackOff            pod/web-5d8f-abcde   spec.containers{app}   kubelet, node-a     Back-off restarting failed container   30m          14      web-5d8f-abcde.18a
shop        10s         Warning   FailedScheduling   pod/web-5d8f-fghij                          default-scheduler   0/1 nodes are available.               10s          1       web-5d8f-fghij.18b
`;

const kubectlEvents = `LAST SEEN               TYPE      REASON    OBJECT                MESSAGE
10s (x14 over 30m)      Warning   BackOff   Pod/web-5d8f-abcde    Back-off restarting failed container
`;

describe.each(collapses)('spaces that a chat collapsed %s', (_, collapse) => {
  it.each([
    ['the description of a pod', pod],
    ['the description of a Deployment', workload],
    ['the description of a StatefulSet with claims', claims],
    ['the description of a node', node],
    ['the description of a quota', quota],
    ['events', events],
    ['events of all namespaces with all columns', wideEvents],
    ['events that kubectl counts', kubectlEvents],
    ['descriptions and events together', `${workload}\n\n${pod}\n\n${node}\n${events}`],
  ])('change nothing in %s', async (_name, text) => {
    expect(await read(collapse(text))).toEqual(await read(text));
  });
});
