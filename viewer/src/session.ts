import { AngleUnit } from "./angle_unit.js";
import { Clock } from "./clock.js";
import { HiddenRecordings } from "./hidden.js";
import { MotionTrack } from "./motion.js";
import { unpack } from "./numbers.js";
import type { Recording, Report } from "./report_data.js";
import { Selection } from "./selection.js";
import { Theme } from "./theme.js";

/** What the views of one open page share. */
export interface Session {
  readonly report: Report;
  readonly clock: Clock;
  readonly selection: Selection;
  readonly hidden: HiddenRecordings;
  readonly theme: Theme;
  readonly angles: AngleUnit;
  /** (recordings) where the bodies are; undefined where a recording does not tell. */
  readonly tracks: readonly (MotionTrack | undefined)[];
  /** Colour of a body: that of its group where structure is known, else its own; the ground's for 0. */
  bodyColour(body: number): string;
  groupColour(group: number): string;
  /** Of the curves and the drawing of a recording; the truth is in ink. */
  recordingColour(recording: number): string;
}

export function openSession(report: Report): Session {
  const theme = new Theme();
  const tracks = report.recordings.map((recording) => recording.motion && new MotionTrack(recording.motion));
  const [begin, end] = span(report.recordings, tracks);
  return {
    report,
    theme,
    angles: new AngleUnit(),
    tracks,
    clock: new Clock(begin, end),
    selection: new Selection(),
    hidden: new HiddenRecordings(),
    bodyColour(body) {
      if (body === 0) return theme.palette.ground;
      const group = report.structure?.group_of_body[body] ?? -1;
      return group >= 0 ? theme.seriesColour(group) : theme.seriesColour(body - 1);
    },
    groupColour: (group) => theme.seriesColour(group),
    recordingColour: (recording) =>
      report.recordings[recording]?.role === "truth" ? theme.palette.ink : theme.seriesColour(recording),
  };
}

/** First and last instant of all recordings and their marks; 0, 0 when there are none. */
function span(recordings: readonly Recording[], tracks: readonly (MotionTrack | undefined)[]): [number, number] {
  let begin = Infinity;
  let end = -Infinity;
  const add = (times: ArrayLike<number>) => {
    if (times.length === 0) return;
    begin = Math.min(begin, times[0]!);
    end = Math.max(end, times[times.length - 1]!);
  };
  recordings.forEach((recording, k) => {
    add(unpack(recording.times));
    if (tracks[k]) add(tracks[k].times);
    for (const { t } of recording.marks) if (Number.isFinite(t)) add([t]); // why a run ended, after its last row
  });
  return begin <= end ? [begin, end] : [0, 0];
}
