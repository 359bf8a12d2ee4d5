/** Preloaded into a process: its clock differs from the machine's by `CLOCK_OFFSET_MS`. Timers and monotonic time do not. */
const offset = Number(process.env.CLOCK_OFFSET_MS ?? 0);
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + offset);
    else super(...given);
  }
  static now() {
    return Real.now() + offset;
  }
};
