/** What the watcher must know of a pod that is suddenly no longer listed. */
export interface DigestFields {
  readonly owner: string;
  readonly node: string;
  readonly revision: string;
  /** Epoch seconds; 0 where it never ran. */
  readonly startedAt: number;
  /** Fingerprint of what was last recorded of it; 0: nothing. */
  readonly told: number;
}

/** Watched pods, each in some hundred bytes. Mutable: it is the watcher's working memory. */
export interface PodDigests {
  readonly size: number;
  get(uid: string): DigestFields | undefined;
  /** False when the table is full and the pod is not in it. */
  put(uid: string, fields: DigestFields, round: number): boolean;
  forget(uid: string): void;
  /** Uids that no `put` of this round has touched. */
  notOfRound(round: number): readonly string[];
}

/**
 * Columns of numbers in place of an object a pod; names that many pods share (node, owner and its revision) are kept
 * once and dropped with the last pod that uses them.
 *
 * @param max pods kept at most
 */
export function createPodDigests(max: number): PodDigests {
  const slots = new Map<string, number>();
  const free: number[] = [];
  const owners = createNames();
  const nodes = createNames();
  let capacity = 0;
  let owner = new Uint32Array(0);
  let node = new Uint32Array(0);
  let startedAt = new Uint32Array(0);
  let told = new Uint32Array(0);
  let seen = new Uint8Array(0);

  function slot(): number {
    const reused = free.pop();
    if (reused !== undefined) return reused;
    const next = slots.size;
    if (next >= capacity) {
      capacity = Math.min(max, Math.max(1024, Math.ceil(capacity * 1.5)));
      owner = grown(owner, new Uint32Array(capacity));
      node = grown(node, new Uint32Array(capacity));
      startedAt = grown(startedAt, new Uint32Array(capacity));
      told = grown(told, new Uint32Array(capacity));
      seen = grown(seen, new Uint8Array(capacity));
    }
    return next;
  }

  return {
    get size() {
      return slots.size;
    },
    get(uid) {
      const at = slots.get(packed(uid));
      if (at === undefined) return undefined;
      const [ownerUid = '', revision = ''] = owners.nameOf(owner[at] ?? 0).split('\n');
      return {
        owner: ownerUid,
        revision,
        node: nodes.nameOf(node[at] ?? 0),
        startedAt: startedAt[at] ?? 0,
        told: told[at] ?? 0,
      };
    },
    put(uid, fields, round) {
      const key = packed(uid);
      let at = slots.get(key);
      const ownerKey = `${fields.owner}\n${fields.revision}`;
      if (at === undefined) {
        if (slots.size >= max) return false;
        at = slot();
        slots.set(key, at);
        owner[at] = owners.take(ownerKey);
        node[at] = nodes.take(fields.node);
      }
      startedAt[at] = fields.startedAt;
      told[at] = fields.told;
      seen[at] = round & 0xff;
      return true;
    },
    forget(uid) {
      const key = packed(uid);
      const at = slots.get(key);
      if (at === undefined) return;
      slots.delete(key);
      free.push(at);
      owners.give(owner[at] ?? 0);
      nodes.give(node[at] ?? 0);
    },
    notOfRound(round) {
      return [...slots].filter(([, at]) => seen[at] !== (round & 0xff)).map(([key]) => unpacked(key));
    },
  };
}

function grown<Column extends Uint8Array | Uint32Array>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}

/** Names that are counted while they are in use. */
function createNames() {
  const ids = new Map<string, number>();
  const names: string[] = [];
  const uses: number[] = [];
  const free: number[] = [];
  return {
    nameOf: (id: number): string => names[id] ?? '',
    take(name: string): number {
      const known = ids.get(name);
      const id = known ?? free.pop() ?? names.length;
      if (known === undefined) {
        ids.set(name, id);
        names[id] = name;
        uses[id] = 0;
      }
      uses[id] = (uses[id] ?? 0) + 1;
      return id;
    },
    give(id: number): void {
      uses[id] = (uses[id] ?? 1) - 1;
      if (uses[id] !== 0) return;
      ids.delete(names[id] ?? '');
      names[id] = '';
      free.push(id);
    },
  };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A uuid as 16 characters, since it is the greatest part of a digest; any other uid as it is, marked. */
function packed(uid: string): string {
  if (!uuid.test(uid)) return `=${uid}`;
  const hex = uid.replaceAll('-', '');
  const bytes: number[] = [];
  for (let at = 0; at < 32; at += 2) bytes.push(Number.parseInt(hex.slice(at, at + 2), 16));
  return `#${String.fromCharCode(...bytes)}`;
}

function unpacked(key: string): string {
  if (key.startsWith('=')) return key.slice(1);
  const hex = [...key.slice(1)].map((each) => each.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
