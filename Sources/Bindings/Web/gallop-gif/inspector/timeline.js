// The timeline: a bar for each frame, the played range, the playhead. A click seeks, a drag chooses a range.
import { barsOf, byteLines, frameAt, sayBytes, sayTick, sayTime, tickStep } from "./model.js";

const INSET = { top: 12, bottom: 20, left: 16, right: 64 };
const DRAG_PIXELS = 5;
/** The height of the marks: of a key frame at the top of its bar, of a warning at the foot. */
const MARK = 4;
/** The second of the rule on flashes, in milliseconds. */
const FLASH_PERIOD = 1000;

/** Draws the timeline of an analysis; calls `seek(frame)` and `choose(range | null)`. */
export class Timeline {
  #canvas;
  #hint;
  #legend;
  #analysis = null;
  #bars = [];
  #frame = 0;
  #range = null;
  #drag = null; // {from, to, x}: frames, and where the press was
  #size = { width: 0, height: 0 };
  #pending = 0;

  /**
   * @param {{canvas: HTMLCanvasElement, hint: HTMLElement, legend: HTMLElement, seek: Function,
   *   choose: Function}} parts
   */
  constructor({ canvas, hint, legend, seek, choose }) {
    this.#canvas = canvas;
    this.#hint = hint;
    this.#legend = legend;
    this.seek = seek;
    this.choose = choose;
    canvas.addEventListener("pointerdown", (event) => this.#press(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", () => this.#release());
    canvas.addEventListener("pointercancel", () => this.#abandon());
    canvas.addEventListener("pointerleave", () => this.#hint.classList.remove("shown"));
    canvas.addEventListener("dblclick", () => this.choose(null));
    new ResizeObserver(() => this.#measure()).observe(canvas);
  }

  show(analysis) {
    this.#analysis = analysis;
    this.#drag = null;
    this.#measure();
  }

  /** The frame that is shown and the range that is played. */
  place(frame, range) {
    if (frame === this.#frame && String(range) === String(this.#range)) return;
    this.#frame = frame;
    this.#range = range;
    this.redraw();
  }

  /** Draws once before the next picture, however often it is asked for. */
  redraw() {
    this.#pending ||= requestAnimationFrame(() => {
      this.#pending = 0;
      this.#draw();
    });
  }

  #measure() {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    this.#size = { width: Math.max(1, width - INSET.left - INSET.right),
      height: Math.max(1, height - INSET.top - INSET.bottom) };
    this.#canvas.width = width * devicePixelRatio;
    this.#canvas.height = height * devicePixelRatio;
    const { frames, starts } = this.#analysis ?? {};
    this.#bars = frames ? barsOf(frames, starts, this.#size.width, this.#size.height) : [];
    this.#legend.classList.toggle("with-warnings", this.#bars.some(({ hasWarning }) => hasWarning));
    this.#legend.classList.toggle("with-flashes", this.#flashes.length > 0);
    this.redraw();
  }

  #x(time) { return INSET.left + (time / (this.#analysis.duration || 1)) * this.#size.width; }

  #draw() {
    const context = this.#canvas.getContext("2d");
    const style = getComputedStyle(this.#canvas);
    const color = (name) => resolved(style, name);
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, this.#canvas.clientWidth, this.#canvas.clientHeight);
    if (!this.#analysis) return;
    const { starts } = this.#analysis;
    const floor = INSET.top + this.#size.height;
    const range = this.#drag?.isRange ? this.#dragRange : this.#range;
    context.font = `11px ${style.fontFamily}`;
    this.#drawLines(context, floor, color);
    this.#drawFlashes(context, floor, color);
    if (range) {
      context.fillStyle = color("--soft");
      context.fillRect(this.#x(starts[range[0]]), INSET.top - 6,
        this.#x(starts[range[1]]) - this.#x(starts[range[0]]),
        this.#size.height + 6);
    }
    for (const bar of this.#bars) {
      const isHere = this.#frame >= bar.first && this.#frame < bar.end;
      const isPlayed = !range || (bar.first < range[1] && bar.end > range[0]);
      context.globalAlpha = isPlayed ? 1 : 0.35;
      context.fillStyle = color(isHere ? "--accent" : "--bar");
      const width = Math.max(1, bar.width - (bar.width > 3 ? 1 : 0));
      context.fillRect(INSET.left + bar.x, floor - bar.height, width, bar.height);
      const mark = Math.min(MARK, bar.height);
      if (bar.isKeyframe) {
        context.fillStyle = color("--key");
        context.fillRect(INSET.left + bar.x, floor - bar.height, width, mark);
      }
      if (bar.hasWarning) {
        context.fillStyle = color("--bad");
        context.fillRect(INSET.left + bar.x, floor - mark, width, mark);
      }
    }
    context.globalAlpha = 1;
    const x = this.#x((starts[this.#frame] + starts[this.#frame + 1]) / 2);
    context.fillStyle = color("--accent");
    context.fillRect(x - 0.75, INSET.top - 8, 1.5, this.#size.height + 8);
    context.beginPath();
    context.moveTo(x - 5, INSET.top - 12);
    context.lineTo(x + 5, INSET.top - 12);
    context.lineTo(x, INSET.top - 5);
    context.fill();
  }

  /** The seconds with the most flashes, in milliseconds; one that the end cuts goes on at the beginning. */
  get #flashes() {
    const { flashes, duration } = this.#analysis ?? {};
    return [flashes?.general, flashes?.red].filter(Boolean).flatMap(({ fromMs }) => {
      const end = fromMs + FLASH_PERIOD;
      if (end <= duration) return [[fromMs, end]];
      return [[fromMs, duration], [0, Math.min(fromMs, end - duration)]];
    });
  }

  #drawFlashes(context, floor, color) {
    context.fillStyle = color("--bad");
    for (const [start, end] of this.#flashes) {
      const x = this.#x(start);
      context.fillRect(x, floor + 1, Math.max(2, this.#x(end) - x), 3);
    }
  }

  #drawLines(context, floor, color) {
    const { frames, duration } = this.#analysis;
    const most = Math.max(1, ...frames.map(({ byteCount }) => byteCount));
    context.fillStyle = color("--quiet");
    context.strokeStyle = color("--line");
    context.lineWidth = 1;
    for (const bytes of byteLines(most)) {
      const y = Math.round(floor - Math.sqrt(bytes / most) * this.#size.height) + 0.5;
      context.beginPath();
      context.moveTo(INSET.left, y);
      context.lineTo(INSET.left + this.#size.width, y);
      context.stroke();
      context.fillText(sayBytes(bytes), INSET.left + this.#size.width + 8, y + 3.5);
    }
    const step = tickStep(duration, this.#size.width / 90);
    for (let time = 0; time < duration; time += step) {
      const x = Math.round(this.#x(time)) + 0.5;
      context.beginPath();
      context.moveTo(x, floor);
      context.lineTo(x, floor + 5);
      context.stroke();
      context.fillText(sayTick(time, step), x + 4, floor + 14);
    }
  }

  #frameUnder(event) {
    const fraction = (event.offsetX - INSET.left) / this.#size.width;
    return frameAt(this.#analysis.starts, Math.max(0, fraction) * this.#analysis.duration);
  }

  get #dragRange() {
    const { from, to } = this.#drag;
    return [Math.min(from, to), Math.max(from, to) + 1];
  }

  #press(event) {
    if (!this.#analysis || event.button !== 0) return;
    const frame = this.#frameUnder(event);
    this.#drag = { from: frame, to: frame, x: event.offsetX, isRange: false };
    try {
      this.#canvas.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that has gone already cannot be captured.
    }
    this.seek(frame);
  }

  #move(event) {
    if (!this.#analysis) return;
    const frame = this.#frameUnder(event);
    if (this.#drag) {
      this.#drag.to = frame;
      this.#drag.isRange ||= Math.abs(event.offsetX - this.#drag.x) > DRAG_PIXELS;
      this.redraw();
    }
    this.#describe(frame, event.offsetX);
  }

  #describe(frame, x) {
    const { delay, byteCount } = this.#analysis.frames[frame];
    const [first, end] = this.#drag?.isRange ? this.#dragRange : [frame, frame + 1];
    const { starts } = this.#analysis;
    this.#hint.textContent = end - first > 1
      ? `frames #${first} – #${end - 1} · ${sayTime(starts[end] - starts[first])}`
      : `frame #${frame} · ${delay} ms · ${sayBytes(byteCount)}`;
    this.#hint.classList.add("shown");
    const width = this.#hint.offsetWidth;
    this.#hint.style.insetInlineStart =
      `${Math.max(4, Math.min(x - width / 2, this.#canvas.clientWidth - width - 4))}px`;
  }

  #release() {
    if (this.#drag?.isRange) this.choose(this.#dragRange);
    this.#abandon();
  }

  #abandon() {
    this.#drag = null;
    this.redraw();
  }
}

/** A colour of the page for a canvas, which does not know `light-dark()`. */
const probe = document.createElement("span");
const colors = new Map();
function resolved(style, name) {
  const key = `${style.colorScheme} ${matchMedia("(prefers-color-scheme: dark)").matches} ${name}`;
  if (!colors.has(key)) {
    if (!probe.isConnected) document.body.append(probe);
    probe.style.color = `var(${name})`;
    colors.set(key, getComputedStyle(probe).color);
  }
  return colors.get(key);
}
