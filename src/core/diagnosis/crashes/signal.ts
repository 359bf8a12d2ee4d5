const signals: ReadonlyMap<number, string> = new Map([
  [129, 'SIGHUP'],
  [130, 'SIGINT'],
  [131, 'SIGQUIT'],
  [132, 'SIGILL'],
  [133, 'SIGTRAP'],
  [134, 'SIGABRT'],
  [135, 'SIGBUS'],
  [136, 'SIGFPE'],
  [137, 'SIGKILL'],
  [139, 'SIGSEGV'],
  [141, 'SIGPIPE'],
  [143, 'SIGTERM'],
  [159, 'SIGSYS'],
]);

/** The signal behind an exit code of 128 + n, as shells and runtimes report it on Linux. */
export function signalOf(exitCode: number): string | undefined {
  return signals.get(exitCode);
}
