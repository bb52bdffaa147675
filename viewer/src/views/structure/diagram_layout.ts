import type { Point } from "./diagram_model.js";

/** Where everything stands. */
export interface Layout {
  width: number;
  height: number;
  baseTop: number;
  radius: number; // of the circles
  nodes: Point[];
  boxes: { x: number; y: number; width: number; height: number }[];
  /** (links) points between its ends that it passes by. */
  via: Point[][];
}
