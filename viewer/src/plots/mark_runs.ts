/** Marks of one kind and recording that stand so close that they are drawn as one. */
export interface MarkRun<M> {
  recording: number;
  begin: number; // [s]
  end: number;
  marks: M[];
}

/** Runs in which each mark is less than `gap` pixels from the one before; `marks` in time order. */
export function runsOf<M extends { t: number; recording: number }>(marks: readonly M[], left: (t: number) => number, gap: number): MarkRun<M>[] {
  const runs: MarkRun<M>[] = [];
  const last = new Map<number, MarkRun<M>>(); // by recording
  for (const mark of marks) {
    const run = last.get(mark.recording);
    if (run && left(mark.t) - left(run.end) < gap) {
      run.end = mark.t;
      run.marks.push(mark);
    } else {
      const begun = { recording: mark.recording, begin: mark.t, end: mark.t, marks: [mark] };
      last.set(mark.recording, begun);
      runs.push(begun);
    }
  }
  return runs;
}
