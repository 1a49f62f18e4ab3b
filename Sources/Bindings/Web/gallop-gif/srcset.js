// Which file an element with `srcset`, or within a <picture>, loads: the one that an <img> in its place would. Loaded where
// there is a choice.

/** A text before its first comma that is in no parentheses, and what comes after that. */
function cut(text) {
  let depth = 0;
  for (let place = 0; place < text.length; place += 1) {
    depth += Number(text[place] === "(") - Number(text[place] === ")");
    if (text[place] === "," && depth <= 0) return [text.slice(0, place), text.slice(place + 1)];
  }
  return [text, ""];
}

/** The candidates of a `srcset`: an address, and its width in pixels or its density. */
export function candidates(text) {
  const found = [];
  let rest = text ?? "";
  for (;;) {
    rest = rest.replace(/^[\s,]+/, "");
    if (!rest) return found;
    let [url] = /^\S+/.exec(rest);
    rest = rest.slice(url.length);
    let descriptors = "";
    if (url.endsWith(",")) url = url.replace(/,+$/, "");
    else [descriptors, rest] = cut(rest);
    const candidate = candidateOf(url, descriptors.trim().split(/\s+/).filter(Boolean));
    if (candidate) found.push(candidate);
  }
}

/** An address with what stands behind it; null where that is wrong. */
function candidateOf(url, descriptors) {
  const of = (form) => descriptors.filter((each) => form.test(each)).map(parseFloat);
  const [widths, heights, densities] = [of(/^\d+w$/), of(/^\d+h$/), of(/^(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?x$/i)];
  if (widths.length + heights.length + densities.length !== descriptors.length) return null;
  if (!descriptors.length) return { url, density: 1 };
  if (widths.length === 1 && !densities.length && heights.length < 2) return widths[0] > 0 ? { url, width: widths[0] } : null;
  return descriptors.length === 1 && densities[0] > 0 ? { url, density: densities[0] } : null;
}

/** The parts of a `sizes`: a media condition, empty where there is none, and a length. */
function sizeParts(text) {
  const parts = [];
  for (let rest = (text ?? "").replace(/\/\*.*?\*\//gs, " "), part; rest;) {
    [part, rest] = cut(rest);
    part = part.trim();
    const start = lengthIn(part);
    parts.push({ condition: part.slice(0, start).trim(), length: part.slice(start) });
  }
  return parts.filter(({ length }) => length);
}

/** Where the last value of a text begins: a word, or a function with its parentheses. */
function lengthIn(part) {
  let depth = 0;
  let start = part.length;
  while (start > 0) {
    const letter = part[start - 1];
    if (depth === 0 && (/\s/.test(letter) || (letter === ")" && start < part.length))) break;
    depth += Number(letter === ")") - Number(letter === "(");
    start -= 1;
  }
  return start;
}

/** Of candidates with a density the least that is enough, otherwise the most. */
export function pick(found, density) {
  const sorted = [...found].sort((one, other) => one.density - other.density);
  return sorted.find((each) => each.density >= density) ?? sorted.at(-1) ?? null;
}

/** A length in CSS pixels; null where it is none. */
function pixels(length, { shadowRoot, loading, clientWidth }) {
  // The element's own width, which is known where it loads late.
  if (/^auto$/i.test(length)) return loading === "lazy" ? clientWidth : null;
  if (!/^(?:[-+.\d]|(?:calc|min|max|clamp)\()/i.test(length) || /\b(?:var|env|attr)\(/i.test(length)) return null;
  const probe = document.createElement("div");
  // Not displayed, so that its width is computed without a layout. Before any style of the page, as in media conditions:
  // a rem is not that of the page either.
  const width = length.replace(/(\d)rem\b/gi, "$1em");
  Object.assign(probe.style, { all: "initial", display: "none", width });
  shadowRoot.append(probe);
  const [, number] = /^([\d.]+)px$/.exec(getComputedStyle(probe).width) ?? [];
  probe.remove();
  return number === undefined ? null : Number(number);
}

const holds = (condition) => !condition || (/^(?:\(|not\b)/i.test(condition) && matchMedia(condition).matches);

/** The width at which the page says that the picture is seen. */
function seenWidth(sizes, element) {
  for (const { condition, length } of sizeParts(sizes)) {
    const width = holds(condition) ? pixels(length, element) : null;
    if (width !== null) return width;
  }
  return innerWidth;
}

/** @param {string | null} [src] counts as the one for a plain screen where no other candidate does */
function best({ srcset, sizes }, element, src = null) {
  const named = candidates(srcset);
  if (src && !named.some(({ width, density }) => width || density === 1)) named.push({ url: src, density: 1 });
  const seen = named.some(({ width }) => width) ? Math.max(1, seenWidth(sizes, element)) : 1;
  return pick(named.map(({ url, width, density }) => ({ url, density: density ?? width / seen })), devicePixelRatio);
}

/** The sources of the <picture> that come before an element. */
function sourcesOf(element) {
  const picture = element.closest("picture") === element.parentElement ? element.parentElement : null;
  const all = [...(picture?.children ?? [])];
  return all.slice(0, all.indexOf(element)).filter((each) => each.localName === "source" && each.srcset);
}

const isGIF = ({ type }) => !type || /^image\/gif\b/i.test(type);

/** The address for an element, resolved, and its pixels for each CSS pixel. */
export function choose(element) {
  const fits = (source) => isGIF(source) && (!source.media || matchMedia(source.media).matches);
  const found = sourcesOf(element).filter(fits).map((source) => best(source, element)).find(Boolean)
    ?? best(element, element, element.getAttribute("src"));
  return { url: found ? new URL(found.url, element.baseURI).href : "", density: found?.density ?? 1 };
}

/** Calls `change` when the answer may be another one, until the signal ends it. */
export function watch(element, change, signal) {
  const conditions = sourcesOf(element).map(({ media }) => media);
  conditions.push(...sizeParts(element.sizes).map(({ condition }) => condition), `(resolution: ${devicePixelRatio}dppx)`);
  for (const condition of conditions.filter(Boolean)) matchMedia(condition).addEventListener("change", change, { signal });
}
