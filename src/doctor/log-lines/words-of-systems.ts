/** The words by which a kind of ending is known. */
export interface EndingWords {
  /** One of these is in the line. */
  readonly says: readonly RegExp[];
  /** All of these are in it as well. */
  readonly and?: readonly RegExp[];
  /** None of these is. */
  readonly but?: RegExp;
  /**
   * Who reports it whatever exit code follows: a program that is `running`, or the `loader` that found it
   * and cannot run it. Absent where a shell may report it of a command that it cannot run.
   */
  readonly from?: 'running' | 'loader';
}

/** What the operating system, the kernel and the hardware of a node refuse or lack. */
export const systemEndings = {
  'watch-limit': {
    says: [
      /\binotify/i,
      /\bfile watchers?\b.{0,40}\b(?:limit|reached|exhausted)/i,
      /\blimit for number of (?:file )?watch/i,
      /\b(?:fsnotify|(?:file ?)?watchers?)\b.{0,80}\btoo many open files\b/i,
    ],
    and: [
      /\b(?:limit|too many|reached|exhausted|no space|emfile|enospc|fail(?:ed)?|cannot|unable|increase|upper)\b/i,
    ],
  },
  'file-limit': {
    says: [
      /\btoo many open files\b/i,
      /\b(?:emfile|enfile)\b/i,
      /\b(?:open files|nofile|file descriptors?|file-max|ulimit)\b.{0,80}\b(?:too low|too small|increase|exceeded|reached|insufficient|at least)\b/i,
    ],
  },
  'no-space': {
    says: [
      /\bno space left on\b/i,
      /\benospc\b/i,
      /\bdisk (?:is )?full\b/i,
      /(?:디스크|저장) ?공간이? ?(?:부족|없)/,
      /\bdisk quota exceeded\b/i,
      /\bedquot\b/i,
      /\b(?:not enough|insufficient|no more|out of|no free|low on)(?: free| available)? (?:disk|storage(?! resources)|file ?system)\b(?: space)?/i,
      /\b(?:disk|volume|filesystem) space\b.{0,40}\b(?:exhausted|insufficient|exceeded|not enough)\b/i,
    ],
  },
  'kernel-setting': {
    says: [
      /\b(?:vm\.(?:max_map_count|overcommit_memory|overcommit_ratio|swappiness|nr_hugepages)|fs\.(?:file-max|nr_open|aio-max-nr)|net\.(?:core|ipv4|ipv6|netfilter|bridge)\.[\w.]{2,60}|kernel\.(?:shm|sem|msg|pid|threads|perf|sched|unprivileged|keys|core|panic)\w{0,40})\b/i,
      /\b(?:sysctl|kernel (?:parameter|setting|module|version|btf)|(?:vmlinux|without) btf)\b/i,
      /\/proc\/sys\/(?:fs|kernel|net|vm)\/[\w./-]{2,60}/,
      /\bmax virtual memory areas\b/i,
      /\bunprivileged user namespaces?\b/i,
      /\b(?:modprobe|insmod)\b/i,
      // Rings, maps and pinned pages that a program shares with the kernel count as locked memory.
      /\bio_uring\w{0,24}\b.{0,80}\b(?:cannot allocate memory|enomem|too low|disabled)\b/i,
      /\bmemlock\b.{0,40}\b(?:too low|too small|insufficient|exceeded|limit)\b/i,
      /\bmemory lock(?:ing)?\b/i,
      /\bmlock(?:all|2)?\b/i,
      /\block\b.{0,120}\bin memory\b/i,
    ],
    and: [
      /\b(?:too low|too small|at least|must be|should be|requires?d?|increase|not supported|unsupported|disabled|not enabled|not loaded|cannot|can't|could not|unable|fail(?:ed|s)?|error|invalid|not found|no such|minimum|older|missing)\b/i,
    ],
  },
  'device-memory': {
    from: 'running',
    says: [
      /\b(?:cuda|hip|rocm|gpu|vram|device memory|video memory|on device|cublas\w{0,40}|cudnn\w{0,40}|cudamalloc|hbm|xla|npu|tpu)\b.{0,160}\b(?:out[ _]of[ _]memory|insufficient (?:free )?memory|not enough (?:free )?memory|memory[ _]?allocation|alloc_failed|failed to allocate|less than desired|no available memory|free memory)\b/i,
      /\b(?:out[ _]of[ _]memory|outofmemoryerror|free memory|not enough memory|no available memory|insufficient memory|failed to allocate|unable to allocate|resource[_ ]exhausted)\b.{0,120}\b(?:cuda\d?|hip|rocm|gpu(?:s|:\d)?|vram|device|cudamalloc|video memory|kv cache)\b/i,
      /\bkv cache\b.{0,60}\b(?:needed|required|larger than)\b/i,
      /\blarger than\b.{0,80}\bkv cache\b/i,
      /\b(?:errorout)?ofdevicememory\b/i,
      /\bdevice memory allocation\b.{0,60}\bfailed\b/i,
      /\bcudaerrormemoryallocation\b/i,
      /\bcublas_status_alloc_failed\b/i,
      /\bcuda_error_out_of_memory\b/i,
      /(?:GPU|VRAM|장치|디바이스) ?메모리(?:가|를)? ?.{0,12}부족/,
    ],
    but: /\bno space left\b/i,
  },
  // What the processes of a pod share in `/dev/shm`, apart from what a database server keeps for locks.
  'shared-memory': {
    says: [
      /\bout of shared memory\b/i,
      /\bshared memory (?:limit|size)\b.{0,40}\b(?:too (?:low|small)|exceeded|raise|increase)/i,
      /\b(?:raise|increase)\b.{0,24}\bshared memory (?:limit|size)\b/i,
      /\b(?:fail(?:ed|s|ure)?|errors?|could not|cannot|can't|unable)\b.{0,60}\b(?:creat|resiz|allocat|extend)\w{0,5}\b.{0,24}\bshared memory\b/i,
      /\berror while creating shared memory\b/i,
      /\b(?:no space left|cannot allocate|enospc|insufficient|too small)\b.{0,160}\/dev\/shm\b/i,
      /\/dev\/shm\b.{0,160}\b(?:no space left|cannot allocate|enospc|insufficient|too small)\b/i,
    ],
    but: /\b(?:max_(?:pred_)?locks_per_\w{4,12}|shm(?:max|all|mni)|in use)\b/i,
  },
  'process-limit': {
    says: [
      /\b(?:pthread_create|clone|v?fork)\b.{0,80}\b(?:resource temporarily unavailable|eagain|fail(?:ed|ure)?|retry)\b/i,
      /\b(?:unable|cannot|can't|could not|failed) (?:to )?(?:create|start|spawn)\b.{0,24}\bthreads?\b/i,
      /\b(?:pids?|process(?:es)?|threads?|nproc)\b.{0,24}\blimit\b.{0,24}\b(?:reached|exceeded)\b/i,
    ],
  },
  'address-in-use': {
    says: [
      /\baddress already in use\b/i,
      /\b(?:eaddrinuse|addressinuse)\b/i,
      /\bport\b.{0,40}\b(?:already |is )(?:in use|used|allocated|bound|taken|occupied)\b/i,
      /\b(?:bind|listen|binding|listening)\w{0,8}\b.{0,120}\b(?:in use|errno[ =:]{0,3}98|os error 98)\b/i,
      /\bport \d{1,5} (?:already )?in use\b/i,
      /\bcould not (?:start|bind|listen)\b.{0,60}\bon any port\b/i,
      /포트.{0,24}(?:이미 )?(?:사용 중|사용되고 있)/,
      /\bonly one usage of each socket address\b/i,
    ],
  },
  'read-only': {
    says: [
      /\bread-?only file ?system\b/i,
      /\berofs\b/i,
      /\breadonlyfilesystem/i,
      /\bos error 30\b/i,
      /\berrno 30\b/i,
    ],
  },
  'privileged-port': {
    says: [
      /\b(?:bind|listen|socket)\w{0,24}\b.{0,160}\b(?:permission denied|eacces|access denied|operation not permitted)\b/i,
      /\b(?:permission denied|eacces)\b.{0,80}\b(?:bind|listen|0\.0\.0\.0:\d{1,3}\b|:::\d{1,3}\b|port)/i,
    ],
    // A socket file, or the other end of a connection.
    but: /\.sock\b|\bunix\b|\bconnect/i,
  },
  // The program may use the file, and refuses it for what its mode allows to others, or to itself.
  'file-mode': {
    says: [
      /\b(?:invalid|wrong|bad|incorrect|insecure|unsafe) (?:file )?permissions\b/i,
      /\bpermissions?\b.{0,120}\b(?:should be|must be|too (?:open|broad|wide|loose|permissive))\b/i,
      /\b(?:has|have|with) (?:group|world)(?: or (?:group|world|others?))? access\b/i,
      /\bmust\b.{0,24}\b(?:accessible|readable|writable) (?:only )?by (?:its |the )?owner(?: only)?\b/i,
      /\b(?:group|world)-(?:readable|writable|accessible)\b.{0,60}\b(?:refus|insecure|not allowed|must|ignor)/i,
    ],
    but: /\bfor (?:table|schema|relation|database|sequence|function|user)\b/i,
  },
  'library-mismatch': {
    from: 'loader',
    says: [
      /\berror (?:while )?loading shared librar(?:ies|y)\b/i,
      /\bcannot open shared object file\b/i,
      /\bsymbol lookup error\b/i,
      /\bundefined symbol\b/i,
      /\berror relocating\b/i,
      /\bcannot load library\b/i,
      /\bversion [`'"]?(?:glibc|glibcxx|cxxabi|gcc|openssl)\w{0,2}_[\d.]{1,10}['"`]? not found\b/i,
      /\bdriver\b.{0,80}\b(?:insufficient|too old|outdated|not compatible|incompatible|mismatch|unsupported|does not support|older)\b/i,
      /\bforward compatibility was attempted\b/i,
      /\bno kernel image is available\b/i,
      /\b(?:library version mismatch|driver\/library)\b/i,
      /\b(?:update|upgrade) (?:your |the )?driver\b/i,
      /\b(?:incompatible|mismatch\w{0,3}|unsupported)\b.{0,40}\b(?:driver|librar(?:y|ies)|abi)\b/i,
      /\bunsupportedclassversion\w{0,6}\b/i,
      /\bcompiled by a more recent version\b/i,
      /\bnode_module_version\b/i,
      /\bcompiled against a different\b/i,
      /\bcompiled (?:using|with|for) (?:a )?(?:different|numpy)\b/i,
    ],
  },
  'illegal-instruction': {
    from: 'loader',
    says: [
      /\billegal (?:hardware )?instruction\b/i,
      /\bsigill\b/i,
      /\b(?:cpu|processor|machine|hardware)\b.{0,80}\b(?:does not|doesn't|not) (?:support|meet|have)\b/i,
      /\b(?:avx\w{0,6}|sse\w{0,4}|x86-64-v\d|bmi2?|fma)\b.{0,60}\b(?:required?s?|not (?:available|supported|found)|missing|support|unsupported|need(?:s|ed)?)\b/i,
      /\b(?:requires?|needs?)\b.{0,40}\b(?:cpu|processor) (?:with|that|support)/i,
      /\bexec format error\b/i,
      /\bcannot execute binary file\b/i,
      /\bwrong elf class\b/i,
    ],
  },
  'process-memory': {
    says: [
      /\bheap out of memory\b/i,
      /\bjava heap space\b/i,
      /\bgc overhead limit\b/i,
      /\bmetaspace\b/i,
      /\bruntime: out of memory\b/i,
      /\bcannot allocate memory\b/i,
      /\benomem\b/i,
      /\bmemoryerror\b/i,
      /\bstd::bad_alloc\b/i,
      /\bmemory allocation of \d{1,20} bytes failed\b/i,
      /\b(?:out of memory|outofmemory(?:error|exception))\b/i,
      /메모리(?:가|를)? ?.{0,12}부족/,
      /\b(?:insufficient memory for the java|could not reserve enough space for|native memory allocation .{0,24}failed)\b/i,
    ],
  },
  'call-refused': {
    says: [/\boperation not permitted\b/i, /\beperm\b/i, /\bos error 1\b/i],
    // A file, or its owner and mode, may not be read or changed.
    but: /(?<![\w/.])\/[\w.-]{1,80}|\b(?:permission denied|chown|chmod|chgrp|ownership|permissions of|files?|directory|folder|mkdir|utime)\b/i,
  },
  'not-permitted': {
    says: [
      /\bpermission denied\b/i,
      /\beacces\b/i,
      /\beperm\b/i,
      /\boperation not permitted\b/i,
      /\bos error (?:1|13)\b/i,
      /\berrno 13\b/i,
      /\b(?:accessdenied|unauthorizedaccess|accesscontrol)exception\b/i,
      /\baccess (?:to the path .{1,200} )?(?:is )?denied\b/i,
      /\b(?:is |are )?not (?:writable|writeable|readable)\b/i,
      /\bno write (?:permission|access)\b/i,
      /\b(?:can ?not|can't|could not|unable to) write (?:to|into)\b.{0,200}\bpermissions?\b/i,
      /권한이 없|접근이 거부/,
      /\breadonly database\b/i,
      /\b(?:unable to|cannot|could not|failed to) open (?:the )?database file\b/i,
      /\bdatabase is read ?only\b/i,
    ],
    but: /\bfor (?:table|schema|relation|database|sequence|function|user)\b/i,
  },
} as const satisfies Readonly<Record<string, EndingWords>>;
