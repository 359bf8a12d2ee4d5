import { useState } from 'react';
import type { NodePicture, PodLook, PodPicture } from '../demo-state.js';

const lookWords: Readonly<Record<PodLook, string>> = {
  ready: 'ready',
  starting: 'starting',
  pending: 'pending',
  crashing: 'crashing',
  stopping: 'stopping',
};

/** Nodes and pods as they are now, beside the channel; on a phone a strip that opens. */
export function ClusterView({ nodes }: { readonly nodes: readonly NodePicture[] }) {
  const [isOpen, setOpen] = useState(false);
  const pods = nodes.flatMap((node) => node.pods);
  const counts = (['ready', 'starting', 'stopping', 'pending', 'crashing'] as const)
    .map((look) => ({ look, count: pods.filter((pod) => pod.look === look).length }))
    .filter(({ count }) => count > 0);
  return (
    <aside className={isOpen ? 'cluster cluster-open' : 'cluster'} aria-label="Cluster" data-testid="cluster">
      <button type="button" className="cluster-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <strong>Cluster</strong>
        <span className="cluster-counts">
          {counts.map(({ look, count }) => (
            <span key={look} className={`count-${look}`}>
              {count} {lookWords[look]}
            </span>
          ))}
        </span>
      </button>
      <div className="cluster-body">
        {nodes.map(({ name, pods: here }) => (
          <section key={name ?? ''} className={name === undefined ? 'node node-none' : 'node'}>
            <h3>{name ?? 'Waiting for a node'}</h3>
            {here.length === 0 ? <p className="quiet">no pods</p> : null}
            {byWorkload(here).map(([workload, group]) => (
              <p key={workload} className="node-workload">
                <span className="node-workload-name">{workload}</span>
                <span className="pods">
                  {group.map((pod) => (
                    <PodSign key={pod.name} pod={pod} />
                  ))}
                </span>
              </p>
            ))}
          </section>
        ))}
        <ul className="legend" aria-label="Legend">
          <li>
            <span className="pod pod-old pod-ready" /> old revision
          </li>
          <li>
            <span className="pod pod-new pod-ready" /> new revision
          </li>
          <li>
            <span className="pod pod-new pod-pending" /> pending
          </li>
          <li>
            <span className="pod pod-new pod-crashing" /> crashing
          </li>
        </ul>
      </div>
    </aside>
  );
}

function PodSign({ pod: { name, isNew, look } }: { readonly pod: PodPicture }) {
  const words = `${name}: ${isNew ? 'new' : 'old'} revision, ${lookWords[look]}`;
  return (
    <span
      role="img"
      className={`pod pod-${isNew ? 'new' : 'old'} pod-${look}`}
      title={words}
      aria-label={words}
      data-testid="pod"
    />
  );
}

function byWorkload(pods: readonly PodPicture[]): readonly (readonly [string, readonly PodPicture[]])[] {
  const groups = new Map<string, PodPicture[]>();
  for (const pod of pods) groups.set(pod.workload, [...(groups.get(pod.workload) ?? []), pod]);
  return [...groups];
}
