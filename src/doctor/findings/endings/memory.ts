import { parseQuantity, value } from '../../../engine/scheduler/quantity.js';
import { jvmHeapOf } from '../crashes/jvm-heap.js';
import { adviceOf, type Ending, type EndingCase } from './ending-case.js';
import { ending } from './text.js';

/** The program asked for memory and did not get it; otherwise a limit of its own is reached. */
const memoryRefused =
  /\b(?:could not reserve|cannot allocate memory|enomem|insufficient memory|bad_alloc|memory allocation)\b/i;

/** Memory of the program itself: refused to it, or used up within its own limit. */
export function processMemory({ view, line }: EndingCase): Omit<Ending, 'kind'> {
  const { name: container, spec } = view;
  if (!memoryRefused.test(line)) {
    return { reasoning: [], advice: adviceOf('process-memory', view), origin: undefined };
  }
  const { memory: limit } = spec.resources.limits;
  const bytes = parseQuantity(limit ?? '');
  const heap = limit === undefined ? undefined : jvmHeapOf(spec, limit);
  const isAbove = heap !== undefined && bytes !== undefined && heap.bytes >= value(bytes);
  return {
    reasoning:
      isAbove && limit !== undefined
        ? [ending('heap-above-limit', { flag: heap.flag, from: heap.from, container, limit })]
        : [],
    advice: { title: ending('memory-refused-title'), text: ending('memory-refused-advice', { container }) },
    origin: undefined,
  };
}

/** What the processes of a pod share has a size of its own, which a volume in memory replaces. */
export function sharedMemory({ view }: EndingCase): Omit<Ending, 'kind'> {
  return { reasoning: [], advice: adviceOf('shared-memory', view, volumeInMemory), origin: undefined };
}

const volumeInMemory = `spec:
  template:
    spec:
      containers:
        - name: …
          volumeMounts:
            - {name: shm, mountPath: /dev/shm}
      volumes:
        - {name: shm, emptyDir: {medium: Memory}}
`;
