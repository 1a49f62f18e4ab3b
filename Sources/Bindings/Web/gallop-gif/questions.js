// What a page may ask of an image, and how answers cross from a worker.

import { engineError, EngineTrap } from "./errors.js";

/** The answers, by the name of the question. */
const QUESTIONS = {
  frames: (engine, { source, options }) => engine.frames(source.image, 0, undefined, options.delays),
  palette: (engine, { source }, [frame]) => engine.palette(source.image, frame),
  diagnostics: (engine, { source }) => engine.diagnostics(source.image),
  check: (engine, { source }) => engine.check(source.image),
  // Before a frame is shown, the first one stands for it.
  capture: (engine, { source, frame: shown }, [frame = Math.max(0, shown)]) => {
    const { pixels, width, height, status } = engine.draw(source.image, 0, 0, frame);
    // The engine leaves what it drew before where a frame shows nothing.
    const own = status === "blank" ? new Uint8ClampedArray(pixels.length) : pixels.slice();
    return { pixels: own, width, height, status, frame };
  },
};

/** Answers a question about a player's image, with a value or an error. */
export function answerTo(question, images, player, values = []) {
  if (!player?.source.image || !images.engine) return { error: plain(player?.source.error ?? engineError("notLoaded")) };
  let failure;
  const value = images.attempt(player.source, (engine) => {
    try {
      return QUESTIONS[question](engine, player, values);
    } catch (error) {
      // A question about a frame that is not there harms no image.
      if (error instanceof EngineTrap) throw error;
      failure = error;
    }
  });
  failure ??= player.source.error;
  return failure ? { error: plain(failure) } : { value };
}

/** What the end of a file makes known. */
export function detailsOf(engine, image, delays) {
  return { delays: engine.delays(image, delays), comments: engine.comments(image), applications: engine.applications(image),
    diagnostics: engine.diagnostics(image) };
}

/** An error as it crosses from a worker to the page. */
export function plain({ code = "internal", message, frame, offset, value, limit }) {
  return { code, message, frame, offset, value, limit };
}
