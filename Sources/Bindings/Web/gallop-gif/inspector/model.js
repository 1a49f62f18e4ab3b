// What the inspector knows and how it says it: pure functions of frames, times, places and links.

/**
 * The instants at which frames begin, and the end of the loop as the last one.
 * @param {{delay: number}[]} frames
 */
export function startsOf(frames) {
  const starts = [0];
  for (const { delay } of frames) starts.push(starts.at(-1) + delay);
  return starts;
}

/** The frame that is shown at an instant of the loop. @param {number[]} starts @param {number} time */
export function frameAt(starts, time) {
  let [low, high] = [0, Math.max(0, starts.length - 2)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The bars of the timeline: as wide as the delay, as high as the root of the bytes, so that small frames are
 * seen beside a large first one. Frames narrower than a pixel share a bar with the largest of them.
 * @param {{delay: number, byteCount: number, isKeyframe: boolean, hasWarning?: boolean}[]} frames
 * @param {number[]} starts @param {number} width @param {number} height
 * @returns {{first: number, end: number, x: number, width: number, height: number, isKeyframe: boolean,
 *   hasWarning: boolean}[]}
 */
export function barsOf(frames, starts, width, height) {
  const total = starts.at(-1) || 1;
  const most = Math.max(1, ...frames.map(({ byteCount }) => byteCount));
  const bars = [];
  frames.forEach(({ byteCount, isKeyframe, hasWarning = false }, index) => {
    const x = (starts[index] / total) * width;
    const bar = { first: index, end: index + 1, x, width: (starts[index + 1] / total) * width - x,
      height: Math.max(1, Math.sqrt(byteCount / most) * height), isKeyframe,
      hasWarning };
    const last = bars.at(-1);
    if (last && last.width < 1) {
      last.end = bar.end;
      last.width = bar.x + bar.width - last.x;
      last.height = Math.max(last.height, bar.height);
      last.isKeyframe ||= isKeyframe;
      last.hasWarning ||= hasWarning;
    } else {
      bars.push(bar);
    }
  });
  return bars;
}

/** Round numbers of bytes for the lines behind the bars: at most three, the largest below the most. */
export function byteLines(most) {
  const lines = [];
  const first = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  for (let bytes = first; bytes >= 1 && lines.length < 3; bytes /= 10) {
    for (const factor of [5, 2, 1]) {
      const line = factor * bytes;
      const isApart = lines.length === 0 || Math.sqrt(lines.at(-1) / most) - Math.sqrt(line / most) > 0.3;
      if (line <= most && isApart && lines.length < 3) lines.push(line);
    }
  }
  return lines;
}

/** The distance of the marks on an axis of time: round, and at most `count` of them. */
export function tickStep(total, count) {
  const least = total / Math.max(1, count);
  for (let step = 10; step < 1e12; step *= 10) {
    for (const factor of [1, 2, 5]) if (step * factor >= least) return step * factor;
  }
  return total;
}

/** A number of bytes in words. @param {number} bytes */
export function sayBytes(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  const [unit, size] = bytes < 1e6 ? ["KB", 1e3] : ["MB", 1e6];
  return `${(bytes / size).toFixed(bytes / size < 9.95 ? 1 : 0).replace(/\.0$/, "")} ${unit}`;
}

/** A time in words: milliseconds below a second. @param {number} milliseconds */
export function sayTime(milliseconds) {
  if (!Number.isFinite(milliseconds)) return "–";
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(2)} s`;
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A mark of the axis of time, as fine as the marks are apart. @param {number} time @param {number} step */
export function sayTick(time, step) {
  if (step >= 60_000) return sayTime(time);
  return step < 100 ? `${time} ms` : `${(time / 1000).toFixed(step < 1000 ? 1 : 0)} s`;
}

/** An engine's name in words: `frameOutsideCanvas` becomes "frame outside canvas". @param {string} name */
export function sayName(name) {
  const apart = name.replace(/GIF|LZW/g, " $& ").replace(/([a-z])([A-Z0-9])/g, "$1 $2");
  const words = apart.trim().replace(/ +/g, " ");
  return words.replace(/\b(?!GIF\b|LZW\b)\w+/g, (word) => word.toLowerCase());
}

/** The number of plays in words. @param {number} plays */
export function sayPlays(plays) {
  if (plays === Infinity) return "for ever";
  if (plays === 1) return "once";
  return plays === 2 ? "twice" : `${plays} times`;
}

/** How many records or frames are damaged, as the command line counts them. @param {number} count */
export function sayWarnings(count) {
  return `${count} ${count === 1 ? "warning" : "warnings"}`;
}

/** A name for the GIF at an address: the last part of its path. @param {URL} url */
export function nameOf(url) {
  const last = url.protocol.startsWith("http") ? url.pathname.split("/").at(-1) : "";
  try {
    return decodeURIComponent(last) || "linked.gif";
  } catch {
    return last;
  }
}

/** How many bytes a GIF may have to travel in a link. */
export const MOST_LINKED_BYTES = 24_000;

/**
 * The part of a link behind `#`. Frames count from 0, as in the engine; a range is first-last.
 * @param {{frame: number, range?: [number, number] | null, mode?: string, rate?: number,
 *   bytes?: Uint8Array | null, name?: string}} place
 */
export function makeLink({ frame, range = null, mode = "forward", rate = 1, bytes = null, name = "" }) {
  const parts = [`frame=${frame}`];
  if (range) parts.push(`range=${range[0]}-${range[1] - 1}`);
  if (mode !== "forward") parts.push(`mode=${mode}`);
  if (rate !== 1) parts.push(`rate=${rate}`);
  if (bytes && bytes.length <= MOST_LINKED_BYTES) {
    if (name) parts.push(`name=${encodeURIComponent(name)}`);
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    parts.push(`gif=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`);
  }
  return `#${parts.join("&")}`;
}

/** What a link asks for; nonsense in it is as good as absent. @param {string} hash */
export function readLink(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const whole = (text) => (/^\d{1,9}$/.test(text ?? "") ? Number(text) : null);
  const [first, last] = (parts.get("range") ?? "").split("-").map(whole);
  const rate = Number(parts.get("rate") ?? 1);
  const mode = parts.get("mode");
  return {
    frame: whole(parts.get("frame")),
    range: first !== null && (last ?? null) !== null && first <= last ? [first, last + 1] : null,
    mode: ["reverse", "bounce"].includes(mode) ? mode : "forward",
    rate: rate >= 0.1 && rate <= 16 ? rate : 1,
    bytes: bytesOf(parts.get("gif")),
    name: parts.get("name") ?? "",
  };
}

function bytesOf(text) {
  if (!text || text.length > (MOST_LINKED_BYTES * 4) / 3 + 4) return null;
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")),
      (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

/**
 * A name for a frame's file, such as `horse-012.png`.
 * @param {string} name
 * @param {number} index
 * @param {number} count
 */
export function frameFileName(name, index, count) {
  const stem = name.replace(/\.gif$/i, "").replace(/[^\p{L}\p{N}._-]+/gu, "-") || "frame";
  return `${stem}-${String(index).padStart(String(Math.max(0, count - 1)).length, "0")}.png`;
}
