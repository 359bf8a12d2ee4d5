import { useState } from 'react';
import type { NodePicture, PodLook, PodPicture } from '../demo-state.js';
import { usePanelLanguage } from './panel-text.js';

const en = {
  cluster: 'Cluster',
  noNode: 'Waiting for a node',
  noPods: 'no pods',
  legend: 'Legend',
  old: 'old revision',
  new: 'new revision',
  looks: {
    ready: 'ready',
    starting: 'starting',
    pending: 'pending',
    crashing: 'failing',
    stopping: 'stopping',
  } satisfies Readonly<Record<PodLook, string>>,
  count: (count: number, look: string) => `${count} ${look}`,
};

const ko: typeof en = {
  cluster: '클러스터',
  noNode: '노드 대기',
  noPods: '파드 없음',
  legend: '범례',
  old: '이전 리비전',
  new: '새 리비전',
  looks: {
    ready: '준비됨',
    starting: '시작 중',
    pending: '대기 중',
    crashing: '실패',
    stopping: '종료 중',
  },
  count: (count, look) => `${look} ${count}`,
};

const texts = { en, ko };

interface Props {
  readonly channel: string | undefined;
  readonly nodes: readonly NodePicture[];
}

/** Nodes and pods as they are now, beside the channel; on a phone a strip that opens. */
export function ClusterView({ channel, nodes }: Props) {
  const text = texts[usePanelLanguage(channel)];
  const [isOpen, setOpen] = useState(false);
  const pods = nodes.flatMap((node) => node.pods);
  const counts = (['ready', 'starting', 'stopping', 'pending', 'crashing'] as const)
    .map((look) => ({ look, count: pods.filter((pod) => pod.look === look).length }))
    .filter(({ count }) => count > 0);
  return (
    <aside
      className={isOpen ? 'cluster cluster-open' : 'cluster'}
      aria-label={text.cluster}
      data-testid="cluster"
    >
      <button type="button" className="cluster-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <strong>{text.cluster}</strong>
        <span className="cluster-counts">
          {counts.map(({ look, count }) => (
            <span key={look} className={`count-${look}`}>
              {text.count(count, text.looks[look])}
            </span>
          ))}
        </span>
      </button>
      <div className="cluster-body">
        {nodes.map(({ name, pods: here }) => (
          <section key={name ?? ''} className={name === undefined ? 'node node-none' : 'node'}>
            <h3>{name ?? text.noNode}</h3>
            {here.length === 0 ? <p className="quiet">{text.noPods}</p> : null}
            {byWorkload(here).map(([workload, group]) => (
              <p key={workload} className="node-workload">
                <span className="node-workload-name">{workload}</span>
                <span className="pods">
                  {group.map((pod) => (
                    <PodSign key={pod.name} pod={pod} text={text} />
                  ))}
                </span>
              </p>
            ))}
          </section>
        ))}
        <ul className="legend" aria-label={text.legend}>
          <li>
            <span className="pod pod-old pod-ready" /> {text.old}
          </li>
          <li>
            <span className="pod pod-new pod-ready" /> {text.new}
          </li>
          <li>
            <span className="pod pod-new pod-pending" /> {text.looks.pending}
          </li>
          <li>
            <span className="pod pod-new pod-crashing" /> {text.looks.crashing}
          </li>
        </ul>
      </div>
    </aside>
  );
}

function PodSign({ pod, text }: { readonly pod: PodPicture; readonly text: typeof en }) {
  const { name, isNew, look } = pod;
  const words = `${name}: ${isNew ? text.new : text.old}, ${text.looks[look]}`;
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
