import type { Curve } from "./curves.js";

/** Curves that are drawn in one plot. */
export interface PlotGroup {
  title: string; // what it shows: "Angle of crank"
  unit: string;
  curves: Curve[];
  compares: boolean; // one channel of several recordings
  isError?: boolean; // estimate − truth: bands lie about 0
}
