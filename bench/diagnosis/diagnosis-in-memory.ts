import { measured } from '../measure/measured-process.js';
import { quantile } from '../measure/quantile.js';
import { count, type Figure, megabytes, ms, type Row, type Table } from '../report/table.js';
import { MeasuredRun } from './measured-run.js';

interface Size {
  readonly nodes: number;
  readonly pods: number;
  readonly gpuNodes: number;
  readonly replicas: number;
  /** The cause that is asked about, as at a review; all where it is left out. */
  readonly about?: string;
}

const usual: Size = { nodes: 5_000, pods: 50_000, gpuNodes: 64, replicas: 1 };

/** Growth with the cluster, with the nodes that could take the pod, and with the workload. */
const sizes: readonly Size[] = [
  { ...usual, nodes: 500, pods: 5_000 },
  { ...usual, nodes: 1_000, pods: 10_000 },
  { ...usual, nodes: 2_000, pods: 20_000 },
  usual,
  { ...usual, about: 'surge-deadlock' },
  { ...usual, nodes: 10_000, pods: 100_000 },
  { ...usual, gpuNodes: 512 },
  { ...usual, gpuNodes: 2_048 },
  { ...usual, replicas: 16 },
  { ...usual, replicas: 64 },
];

/** What one size takes: to read its objects first, then to diagnose them again and again. */
export async function measureDiagnosis(): Promise<Table> {
  const rows: Row[] = [];
  for (const size of sizes) rows.push(await rowOf(size));
  return {
    id: 'diagnosis',
    title: 'Diagnosis from objects in memory',
    about:
      'All rules on one generated cluster in which one Deployment waits for itself, each size in a process of its own; the look-ups of the cluster are built anew each time. Processor time hardly depends on what else the machine does. Memory: what the diagnosis adds at most, above the objects.',
    columns: ['candidates', 'replicas', 'time p50', 'processor p50', 'memory added', 'objects'],
    rows,
  };
}

async function rowOf(size: Size): Promise<Row> {
  const { nodes, pods, gpuNodes, replicas, about } = size;
  const sizeArguments = {
    nodes,
    pods,
    'gpu-nodes': gpuNodes,
    replicas,
    ...(about !== undefined && { about }),
  };
  const { output } = await measured({
    program: ['--expose-gc', '--import', 'tsx', 'bench/diagnosis/run.ts'],
    arguments: Object.entries(sizeArguments).flatMap(([name, value]) => [`--${name}`, String(value)]),
  });
  const { samples, bytes } = MeasuredRun.parse(JSON.parse(output));
  const aimed = size === usual;
  const median = (part: 'clock' | 'processor'): number =>
    quantile(
      samples.map((each) => each[part]),
      0.5,
    );
  const figures: readonly Figure[] = [
    count(gpuNodes),
    count(replicas),
    ms(median('clock'), aimed ? 300 : undefined),
    ms(median('processor')),
    megabytes(Math.max(0, bytes.most - bytes.objects), aimed ? 150 : undefined),
    megabytes(bytes.objects - bytes.program),
  ];
  const asked = about === undefined ? '' : `, about ${about}`;
  return { name: `${nodes.toLocaleString('en')} nodes, ${pods.toLocaleString('en')} pods${asked}`, figures };
}
