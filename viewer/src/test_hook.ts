import { describePlots } from "./plots/plot_panel.js";
import type { SceneView } from "./scene/scene_view.js";
import type { Session } from "./session.js";

/** What tests of a page ask it: window.eslabon. Reads what is drawn, not what was to be drawn. */
export function offerTestHook(session: Session, scene: SceneView | undefined): void {
  const { report, clock, selection, theme, angles } = session;
  const recordingNamed = (name: string) => report.recordings.findIndex((recording) => recording.name === name);
  const bodyNamed = (name: string) => report.mechanism!.bodies.findIndex((body) => body.name === name);
  const hook = {
    report,
    time: () => clock.time,
    seek: (t: number) => {
      clock.seek(t);
      scene?.draw();
    },
    playing: () => clock.playing,
    speed: () => clock.speed,
    range: () => [...clock.range],
    theme: () => theme.name,
    angles: () => (angles.isDegrees ? "deg" : "rad"),
    selected: () => selection.selected,
    /** Pose of the drawn body of a recording. */
    pose: (recording: string, body: string) => scene?.drawnPose(recordingNamed(recording), bodyNamed(body)),
    screenPosition: (kind: "body" | "joint" | "sensor", index: number) => scene?.screenPosition(kind, index),
    /** Plots that are open: axis, unit, curves and their points, numbers of bands and marks, whether drawn, range of time, place of the cursor [px]. */
    plots: () => describePlots(session),
    /** Arrows that are drawn: [{ name, from, vector, length }], world axes. */
    drawnArrows: () => {
      scene?.draw();
      return scene?.drawnArrows() ?? [];
    },
    /** Contacts of tyres that are drawn: [{ name, point, carries, load, along }], world axes. */
    drawnContacts: () => {
      scene?.draw();
      return scene?.drawnContacts() ?? [];
    },
    /** Colour of the faces of a solid body now. */
    bodyColour: (body: string) => scene?.bodyColour(bodyNamed(body)),
    drawnParticles: () => scene?.drawnParticles ?? 0,
    /** Times of n pictures drawn one after the other at instants over the range [ms]. */
    frameTimes: (n: number) => {
      const [begin, end] = clock.range;
      return Array.from({ length: n }, (_, k) => {
        const start = performance.now();
        clock.seek(begin + ((end - begin) * k) / n);
        scene?.draw();
        return performance.now() - start;
      });
    },
  };
  (window as unknown as { eslabon: typeof hook }).eslabon = hook;
}
